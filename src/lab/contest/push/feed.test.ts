import { expect, it, onTestFinished } from 'vitest';
import { listen } from '#lab/listen.ts';
import { ScoreboardFeed } from './push.ts';
import type { Scoring } from './scores.ts';

const makeScoring = (id: string): Scoring => ({ id, user: 'a', task: 'b', score: 1, submittedAtMs: 1, atMs: 2 });

/** Starts a scoreboard that responds with these statuses in turn. For 0, it closes the connection. */
async function feedTo(statuses: readonly number[]) {
  const taken: string[][] = [];
  let requestCount = 0;
  const { url, close } = await listen(async (request, response) => {
    const status = statuses[requestCount++] ?? 204;
    if (status === 0) return void request.socket.destroy();
    let body = '';
    for await (const more of request) body += String(more);
    if (status === 204) taken.push(JSON.parse(body).map(({ id }: Scoring) => id));
    response.writeHead(status).end();
  }, null);
  const failures: string[] = [];
  const feed = new ScoreboardFeed({ url, password: 'x', onFailed: (why) => failures.push(why) });
  onTestFinished(async () => {
    await feed.close();
    await close();
  });
  return { feed, taken, failures };
}

it('the feed delivers scores in order and once each, even after failed requests', async () => {
  const { feed, taken, failures } = await feedTo([500, 0, 204, 0]);
  for (const id of ['1', '2', '3']) feed.add(makeScoring(id));
  await expect.poll(() => taken.flat()).toEqual(['1', '2', '3']);
  feed.add(makeScoring('4'));
  await expect.poll(() => taken.flat()).toEqual(['1', '2', '3', '4']);
  expect(failures).toEqual([]);
});

it('the feed reports why it cannot deliver, and reports no failure once it is closed', async () => {
  const { feed, failures } = await feedTo(Array.from({ length: 5 }, () => 503));
  feed.add(makeScoring('1'));
  await expect.poll(() => failures).toEqual(['It returned 503.']);
  const closing = await feedTo(Array.from({ length: 5 }, () => 503));
  closing.feed.add(makeScoring('1'));
  await closing.feed.close();
  expect(closing.failures).toEqual([]);
});
