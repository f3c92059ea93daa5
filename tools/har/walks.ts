import type { Page } from '@playwright/test';
import type { LabAccount, LabAddress } from '#core/base/lab/listing.ts';
import type { Shop } from './shop.ts';

export interface Place {
  /** Default targets of a test. */
  readonly urls: readonly string[];
  readonly addresses: readonly LabAddress[];
  readonly accounts: readonly LabAccount[];
  readonly shop: Shop;
}

export type Walk = (page: Page, place: Place) => Promise<void>;

export function urlOf({ urls }: Place, path: string, index = 0): string {
  return new URL(path, urls[index]).href;
}

/** Waits like a user who reads the page. */
export function read(page: Page, seconds = 0.7): Promise<void> {
  return page.waitForTimeout(seconds * 1_000);
}

/** Waits until everything that the page requests has loaded, and the browser has recorded it. */
export function settled(page: Page): Promise<void> {
  return page.waitForLoadState('networkidle');
}

async function logIn(page: Page, place: Place): Promise<void> {
  const [account] = place.accounts;
  await page.goto(urlOf(place, '/'));
  await page.getByLabel('User name').fill(account?.username ?? '');
  await page.getByLabel('Password').fill(account?.password ?? '');
  await read(page);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByRole('button', { name: 'Log out' }).waitFor();
  await settled(page);
}

/** Logs in to a task page; the form contains the page to continue with. */
export const logInAtContest: Walk = async (page, place) => {
  const [account] = place.accounts;
  await page.goto(urlOf(place, '/tasks/lanterns/description'));
  await page.getByLabel('User name').fill(account?.username ?? '');
  await page.getByLabel('Password').fill(account?.password ?? '');
  await read(page);
  await page.getByRole('button', { name: 'Log in' }).click();
  await page.getByText('Time limit').first().waitFor();
  await settled(page);
};

export const askQuestion: Walk = async (page, place) => {
  await logIn(page, place);
  await page.getByRole('link', { name: 'Communication' }).click();
  await page.getByLabel('Subject').fill('Lanterns & bridges');
  await page.getByLabel('Text').fill('May a lantern stand on a bridge?\nAnd “two” of them?');
  await read(page, 1);
  await page.getByRole('button', { name: 'Ask' }).click();
  await settled(page);
  await page.getByRole('button', { name: 'Log out' }).click();
  await page.getByLabel('Password').waitFor();
  await settled(page);
};

/** A script submits a solution, and polls until it is evaluated. */
export const submitAndPoll: Walk = async (page, place) => {
  await logIn(page, place);
  await page.goto(urlOf(place, '/tasks/coprobber/submissions'));
  await read(page);
  await page.evaluate(async () => {
    const form = new FormData();
    form.set('_xsrf', document.querySelector<HTMLInputElement>('main [name="_xsrf"]')?.value ?? '');
    form.set('coprobber.%l', new File(['int main() { return 0; }\n'], 'coprobber.cpp', { type: 'text/x-c++src' }));
    const list = await fetch('/tasks/coprobber/submit', { method: 'POST', body: form });
    await list.text();
    for (let tries = 0; tries < 20; tries += 1) {
      const { status } = await (await fetch('/tasks/coprobber/submissions/1')).json();
      if (status === 5) return;
      await new Promise((resolve) => setTimeout(resolve, 600));
    }
  });
  await settled(page);
};

/** Polls for news since the last known time. */
export const pollNotifications: Walk = async (page, place) => {
  await logIn(page, place);
  await page.evaluate(async () => {
    const xsrf = document.querySelector<HTMLInputElement>('[name="_xsrf"]')?.value ?? '';
    const news = async (last: number): Promise<number> => {
      const list: { timestamp: number }[] = await (await fetch(`/notifications?last_notification=${last}`)).json();
      return list.at(-1)?.timestamp ?? last;
    };
    await news(0);
    await fetch('/question', {
      method: 'POST',
      headers: { 'X-XSRFToken': xsrf },
      body: new URLSearchParams({ _xsrf: xsrf, question_subject: 'Time', question_text: 'How long?' }),
    });
    const last = await news(0);
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    await news(last);
  });
  await settled(page);
};

/** The second server knows the login at the first; a page loads a style sheet from it. */
export const twoShards: Walk = async (page, place) => {
  await logIn(page, place);
  const other = urlOf(place, '/static/css/contest.css', 1);
  await page.evaluate((href) => {
    const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href });
    document.head.append(link);
    return new Promise((resolve) => {
      link.addEventListener('load', resolve);
    });
  }, other);
  await read(page);
  await page.goto(urlOf(place, '/tasks/harbour/description', 1));
  await settled(page);
};

/** Missing, forbidden and unanswered requests. */
export const refusedRequests: Walk = async (page, place) => {
  await logIn(page, place);
  await page.goto(urlOf(place, '/tasks/bridges/description'));
  await settled(page);
  await page.evaluate(async () => {
    await fetch('/question', { method: 'POST', body: new URLSearchParams({ question_subject: 'Without a token' }) });
    await fetch('http://127.0.0.1:9/nobody').catch(() => null);
    const leaving = new AbortController();
    const late = fetch('/tasks/harbour/statements/en', { signal: leaving.signal }).catch(() => null);
    leaving.abort();
    await late;
  });
  await settled(page);
};

/** Loads the first page twice, the second time with the browser's cache; an old address with several redirects. */
export const visitShop: Walk = async (page, { shop }) => {
  await page.goto(shop.url);
  await settled(page);
  await read(page, 1.2);
  await page.reload();
  await settled(page);
  await page.getByRole('link', { name: 'An old address' }).click();
  await page.getByRole('heading', { name: 'Your account' }).waitFor();
  await settled(page);
};

/** Cached files are requested with their ETag, and not sent again. */
export const revisitShop: Walk = async (page, { shop }) => {
  await page.goto(shop.url);
  await settled(page);
  await page.reload();
  await settled(page);
};

/** A single-page app: a wrong password, a token for later requests, an order that is created, changed, read and deleted. */
export const account: Walk = async (page, { shop }) => {
  await page.goto(`${shop.url}account`);
  await settled(page);
  const ask = (method: string, path: string, value?: object): Promise<{ id: number }> =>
    page.evaluate(`shop.ask(${[method, path, value].map((given) => JSON.stringify(given)).join()})`);
  await page.evaluate(`shop.logIn('ada', 'correct hose')`);
  await read(page);
  await page.evaluate(`shop.logIn('ada', 'correct horse')`);
  await ask('GET', '/api/orders?page=1');
  await read(page);
  const { id } = await ask('POST', '/api/orders', { items: [{ article: 'lantern', count: 2 }], note: 'for “Ada”', gift: null });
  await ask('GET', `/api/orders/${id}`);
  await ask('PATCH', `/api/orders/${id}`, { state: 'paid', order: id });
  await ask('DELETE', `/api/orders/${id}`);
  await settled(page);
};

/** Requests that a service worker handles or forwards. */
export const behindWorker: Walk = async (page, { shop }) => {
  await page.goto(`${shop.url}account`);
  await page.evaluate(async () => {
    await navigator.serviceWorker.register('/worker.js');
    await navigator.serviceWorker.ready;
  });
  await settled(page);
  await page.goto(shop.url);
  await settled(page);
  await page.goto(`${shop.url}offline`);
  await settled(page);
};

/** An event stream, a failure, a busy server, and an API of another origin with preflight requests. */
export const streamsAndFailures: Walk = async (page, { shop }) => {
  await page.goto(`${shop.url}account`);
  await page.evaluate(async (api) => {
    await new Promise((resolve) => {
      const news = new EventSource('/news');
      news.addEventListener('error', () => {
        news.close();
        resolve(null);
      });
    });
    await fetch('/broken');
    await fetch('/busy');
    await fetch('/nowhere.png');
    const asked = await fetch(`${api}stock`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', 'X-Client': 'shop' },
      body: JSON.stringify({ article: 'lantern' }),
    });
    await asked.json();
  }, shop.api);
  await settled(page);
};
