import { read, settled, type Walk } from './walk.ts';

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
