import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Client } from '#contract/rpc/client.ts';
import { type SearchDocument, searchDocumentSchema, type SearchResult } from '#core/search/result.ts';
import { startTestBackend, type TestBackend } from '#backend/testing/backend.ts';
import { planFor } from '#backend/testing/plans.ts';

const SERVICE_MS = 20;
const IDLE_MS = 400;
/** Of a computer that has much else to do. */
const PATIENCE_MS = 60_000;

/** Turns away whom it has no room for, and counts what it was asked. */
async function startFullServer(room: number) {
  const seen = { requests: 0, most: 0, turnedAway: 0 };
  let inside = 0;
  const server: Server = createServer((_request, response) => {
    seen.requests += 1;
    if (inside >= room) {
      seen.turnedAway += 1;
      // Who is turned away at once comes again at once.
      setTimeout(() => response.writeHead(503).end('full'), SERVICE_MS);
      return;
    }
    inside += 1;
    seen.most = Math.max(seen.most, inside);
    setTimeout(() => {
      inside -= 1;
      response.end('a page');
    }, SERVICE_MS);
  });
  server.keepAliveTimeout = IDLE_MS;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${port}/`, seen, close };
}

describe('a search', () => {
  let target: Awaited<ReturnType<typeof startFullServer>>;
  let backend: TestBackend;
  beforeEach(async () => {
    target = await startFullServer(6);
    backend = await startTestBackend({ visitsWithoutLoad: 1 });
  });
  afterEach(async () => {
    await backend.close();
    await target.close();
  });

  const quick = { coolDownSeconds: 0, baselineSeconds: 0, secondsEach: 1 };
  const search = (settings: object = {}): SearchDocument =>
    searchDocumentSchema.parse({
      kind: 'breakingPoint',
      plan: planFor(target.url, { name: 'Where?' }),
      settings: { ...quick, from: 4, ...settings },
    });

  it(
    'finds the breaking point of a real server by runs that are ordinary ones, and is there again later',
    async () => {
      const { client } = backend;
      const { result } = await play(client, search());
      expect(result.search).toMatchObject({ state: 'finished', kind: 'breakingPoint', name: 'Where?', endedBecause: null });
      expect(result.answer).toMatchObject({ held: 6, broke: 7, isKnown: true, withoutError: { upTo: 6, from: 7 } });
      const levels = result.runs.filter(({ purpose }) => purpose === 'level');
      expect(levels.map(({ level, state }) => `${level} ${state}`)).toEqual(['4 value', '8 value', '6 value', '7 value']);
      expect(result.runs[0]).toMatchObject({ purpose: 'probe', level: null, state: 'value' });
      expect(result.runs[3]).toMatchObject({ purpose: 'probe', name: 'one user' });
      expect(target.seen.most).toBe(6);
      expect(
        result.runs.reduce((sum, { requests }) => sum + requests, 0),
        'the server’s own count',
      ).toBe(target.seen.requests);
      for (const { runId, name, repeat, requests } of result.runs) {
        const own = await client.call('runs.result', { runId: runId ?? '' });
        expect(own.run.series).toEqual({ id: result.search.id, name: 'Where?', cell: name, repeat });
        expect(own.ledger.requests.sent).toBe(requests);
      }
      expect(await client.call('searches.result', { searchId: result.search.id })).toEqual(result);
      const { searches } = await client.call('searches.list', {});
      expect(searches).toMatchObject([{ id: result.search.id, sentence: 'Sustains 6 connections and fails at 7 connections.' }]);
      await client.call('searches.remove', { searchId: result.search.id });
      expect((await client.call('searches.list', {})).total).toBe(0);
      expect((await client.call('runs.list', {})).total, 'its runs stay').toBe(result.runs.length);
    },
    PATIENCE_MS,
  );

  it(
    'says that the watched pages are seen before the load of a run',
    async () => {
      const { client } = backend;
      const watched = search();
      const seen = new Set<string>();
      const { watchPages } = planFor(target.url, { watchPages: [{ url: '/' }] });
      await play(client, { ...watched, plan: { ...watched.plan, watchPages } }, async ({ search: { id }, runs }) => {
        const [first] = runs;
        if (first?.phase != null) seen.add(first.phase);
        if (first?.phase === 'load') await client.call('searches.stop', { searchId: id });
      });
      expect([...seen].filter((phase) => phase !== 'ready').slice(0, 2)).toEqual(['visits', 'load']);
    },
    PATIENCE_MS,
  );

  it(
    'stopped in the middle, keeps what it has found out, and lets nothing else put load on meanwhile',
    async () => {
      const { client } = backend;
      let isAsked = false;
      const stopAtSecond = async (result: SearchResult): Promise<void> => {
        if (isAsked || result.runs[2]?.phase !== 'load') return;
        isAsked = true;
        await expect(client.call('runs.start', { plan: planFor(target.url) })).rejects.toMatchObject({
          code: expect.stringMatching(/^(SEARCH|RUN)_GOING$/),
        });
        await expect(client.call('searches.start', { document: search() })).rejects.toMatchObject({ code: 'SEARCH_GOING' });
        await client.call('searches.stop', { searchId: result.search.id });
      };
      const { result } = await play(client, search({ secondsEach: 2 }), stopAtSecond);
      expect(result.search).toMatchObject({ state: 'stopped', endedBecause: 'You stopped it.' });
      expect(result.runs.map(({ purpose, state }) => `${purpose} ${state}`)).toEqual(['probe value', 'level value', 'level aborted']);
      expect(result.answer).toMatchObject({ held: 4, broke: null });
    },
    PATIENCE_MS,
  );

  it(
    'of an unknown server counts what the server counts, and sees when it closes a connection',
    async () => {
      const plan = planFor(target.url, { name: 'What?' });
      const settings = { ...quick, maxUsers: 8, idleSeconds: 20 };
      const { result } = await play(backend.client, searchDocumentSchema.parse({ kind: 'characterize', plan, settings }));
      const { answer, runs } = result;
      if (answer.kind !== 'characterize') throw new TypeError('A server was looked at.');
      // On a busy machine runs of few users are made again.
      const made = new Set(runs.map(({ purpose, level }) => `${purpose} ${level ?? ''}`.trim()));
      expect([...made]).toEqual(['users 1', 'users 2', 'users 4', 'users 8', 'idle']);
      expect(
        runs.reduce((sum, { requests }) => sum + requests, 0),
        'the server’s own count',
      ).toBe(target.seen.requests);
      const turnedAway = runs.flatMap(({ reading }) => (reading?.kind === 'users' ? [reading.errorAnswers] : []));
      expect(new Set(turnedAway.slice(0, -1))).toEqual(new Set([0]));
      expect(turnedAway.at(-1)).toBeGreaterThan(0);
      expect(answer.serviceMs?.value).toBeGreaterThanOrEqual(SERVICE_MS - 1);
      expect(answer.keepAlive).toMatchObject({ reuses: true, openForSeconds: null });
      expect(answer.keepAlive.closedAfterSeconds).toBeGreaterThanOrEqual(IDLE_MS / 1_000 - 0.05);
    },
    PATIENCE_MS,
  );

  it('does not begin with a plan that nobody may start', async () => {
    const plan = planFor('http://www.example.org/');
    const document = searchDocumentSchema.parse({ kind: 'breakingPoint', plan });
    await expect(backend.stranger.call('searches.start', { document })).rejects.toMatchObject({ code: 'AGREEMENT_NEEDED' });
    expect((await backend.client.call('searches.list', {})).total).toBe(0);
    await expect(backend.client.call('searches.start', { document: search({ from: 9, to: 3 }) })).rejects.toMatchObject({
      code: 'INVALID_PLAN',
    });
    await expect(backend.client.call('searches.result', { searchId: 'q-none' })).rejects.toMatchObject({ code: 'NO_SUCH_SEARCH' });
  });
});

async function play(client: Client, document: SearchDocument, onItem: (result: SearchResult) => Promise<void> = async () => {}) {
  const { searchId } = await client.call('searches.start', { document });
  const pending: Promise<void>[] = [];
  await new Promise<void>((resolve, reject) => {
    client.open(
      'searches.watch',
      { searchId },
      { onItem: (item) => void pending.push(onItem(item)), onEnd: (problem) => (problem ? reject(problem) : resolve()) },
    );
  });
  await Promise.all(pending);
  return { result: await client.call('searches.result', { searchId }) };
}
