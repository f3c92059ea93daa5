import { read, settled, urlOf, type Walk } from './walk.ts';

/** Plain text for pages, a slow one, one that is not there, and one that nobody waits for. */
export const nodeErrors: Walk = async (page, place) => {
  await page.goto(urlOf(place, '/node/ping'));
  await read(page);
  await page.goto(urlOf(place, '/node/timeout'));
  await page.goto(urlOf(place, '/nowhere'));
  await page.evaluate(async () => {
    await Promise.all(['/node/ping', '/gunicorn/ping', '/node_replicated/ping'].map(async (path) => (await fetch(path)).text()));
    await fetch('/node/timeout', { signal: AbortSignal.timeout(50) }).catch(() => null);
    await fetch('/node/ping', { method: 'HEAD' });
    await fetch('/node/ping', { method: 'OPTIONS' });
  });
  await settled(page);
};
