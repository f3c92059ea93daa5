import type { Page } from '@playwright/test';
import { read, settled, urlOf, type Place, type Walk } from './walk.ts';

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
