import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Client } from '#contract/rpc/client.ts';
import { type SearchDocument, searchDocumentSchema, type SearchResult } from '#core/search/result.ts';
import type { SearchRun } from '#core/search/run.ts';
import { startTestBackend, type TestBackend } from '#backend/testing/backend.ts';
import { planFor } from '#backend/testing/plans.ts';
import { temporaryDirectory } from '#tools/testing/temporaryDirectory.ts';
import type { StepWork } from './runGroupSession.ts';
import { SearchSteps } from './searchSteps.ts';

const SERVICE_MS = 20;
const IDLE_MS = 400;
/** Time limit of a test, long enough for a busy computer. */
const PATIENCE_MS = 60_000;

/** Starts a server that rejects requests above its capacity, and counts them. */
async function startFullServer(room: number) {
  const seen = { requests: 0, most: 0, turnedAway: 0 };
  let inside = 0;
  const server: Server = createServer((_request, response) => {
    seen.requests += 1;
    if (inside >= room) {
      seen.turnedAway += 1;
      // The rejection is delayed, because a rejected user would otherwise retry at once.
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
    target = await startFullServer(3);
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
      settings: { ...quick, warmUpSeconds: 0, from: 2, ...settings },
    });

  it(
    'finds the breaking point of a real server with ordinary runs, and can be read later',
    async () => {
      const { client } = backend;
      const { result } = await playSearch(client, search());
      expect(result.search).toMatchObject({ state: 'finished', kind: 'breakingPoint', name: 'Where?', endedBecause: null });
      expect(result.conclusion).toMatchObject({ sustained: 3, breakingPoint: 4, isKnown: true, withoutError: { upTo: 3, from: 4 } });
      const levels = result.runs.filter(({ purpose }) => purpose === 'level');
      expect(levels.map(({ level, state }) => `${level} ${state}`)).toEqual(['2 value', '4 value', '3 value']);
      expect(result.runs[0]).toMatchObject({ purpose: 'probe', level: null, state: 'value' });
      expect(result.runs[3]).toMatchObject({ purpose: 'probe', name: 'one user' });
      expect(target.seen.most).toBe(3);
      expect(
        result.runs.reduce((sum, { requests }) => sum + requests, 0),
        'the server’s own count',
      ).toBe(target.seen.requests);
      for (const { runId, name, repeat, requests } of result.runs) {
        const ownResult = await client.call('runs.result', { runId: runId ?? '' });
        expect(ownResult.run.series).toEqual({ id: result.search.id, name: 'Where?', cell: name, repeat });
        expect(ownResult.outcomes.requests.sent).toBe(requests);
      }
      expect(await client.call('searches.result', { searchId: result.search.id })).toEqual(result);
      const { searches } = await client.call('searches.list', {});
      expect(searches).toMatchObject([{ id: result.search.id, sentence: 'Sustains 3 connections and fails at 4 connections.' }]);
      await client.call('searches.remove', { searchId: result.search.id });
      expect((await client.call('searches.list', {})).total).toBe(0);
      expect((await client.call('runs.list', {})).total, 'its runs stay').toBe(result.runs.length);
    },
    PATIENCE_MS,
  );

  it(
    'finds how many people are served at a bell: it runs commands before each level, and waits until the user has reset the server',
    async () => {
      const file = join(temporaryDirectory(), 'levels');
      const plan = planFor(target.url, {
        name: 'At the bell',
        journey: [{ name: 'page', gate: 'ten' }],
        bells: { ten: { atSeconds: 1 } },
        load: { model: 'users', paceSeconds: 60, stages: [{ users: 8, seconds: 2 }] },
        criteria: [],
      });
      const settings = { ...quick, waitsForReset: true, before: [`echo "$HOLDFAST_CELL" >> '${file}'`] };
      const document = searchDocumentSchema.parse({ kind: 'breakingPoint', plan, settings });
      const web = await startTestBackend({ visitsWithoutLoad: 1 });
      onTestFinished(() => web.close());
      await expect(web.client.call('searches.start', { document })).rejects.toMatchObject({ code: 'COMMANDS_NOT_ALLOWED' });
      const own = await startTestBackend({ visitsWithoutLoad: 1, runsCommands: true });
      onTestFinished(() => own.close());
      const waited = new Set<string>();
      const { result } = await playSearch(own.client, document, async ({ search: { id }, runs }) => {
        const run = runs.find(({ phase }) => phase === 'reset');
        if (run === undefined || waited.has(run.name)) return;
        waited.add(run.name);
        await own.client.call('searches.goOn', { searchId: id });
      });
      expect(result.conclusion).toMatchObject({ sustained: 3, breakingPoint: 4, sentence: 'Sustains 3 people and fails at 4 people.' });
      expect(result.runs.map(({ purpose }) => purpose)).toEqual(['level', 'level', 'level']);
      expect([...waited]).toEqual(['4 people', '3 people']);
      expect(await readFile(file, 'utf8')).toBe('2 people\n4 people\n3 people\n');
    },
    2 * PATIENCE_MS,
  );

  // This test uses a search only; series.test.ts checks that onVisits is called only with watched pages.
  it('reports that watched pages are visited before the load of each run', async () => {
    const phases: SearchRun['phase'][] = [];
    const work: StepWork<SearchRun> = {
      signal: new AbortController().signal,
      stopText: '',
      save: ({ phase }) => phases.push(phase),
      load: async ({ onVisits, onStarted }) => {
        onVisits();
        onStarted('r-1');
        return { state: 'notRun', reason: 'Nobody is there.' };
      },
    };
    const rejectRead = (): Promise<never> => Promise.reject(new Error('nothing is read'));
    const unused = { clean: (text: string) => text, reuseRows: rejectRead, untilReset: rejectRead };
    const step = new SearchSteps({ results: { read: rejectRead }, way: rejectRead, ...unused }, work, search()).next();
    if ('perform' in step) await step.perform();
    expect(phases).toEqual(['ready', 'visits', 'load', 'rest', null]);
  });

  it(
    'keeps its findings when it is stopped, and excludes other loads meanwhile',
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
      const { result } = await playSearch(client, search({ secondsEach: 2 }), stopAtSecond);
      expect(result.search).toMatchObject({ state: 'stopped', endedBecause: 'You stopped it.' });
      expect(result.runs.map(({ purpose, state }) => `${purpose} ${state}`)).toEqual(['probe value', 'level value', 'level aborted']);
      expect(result.conclusion).toMatchObject({ sustained: 2, breakingPoint: null });
    },
    PATIENCE_MS,
  );

  it(
    'counts as many requests as an unknown server, and finds when the server closes an idle connection',
    async () => {
      const plan = planFor(target.url, { name: 'What?' });
      const settings = { ...quick, maxUsers: 8, idleSeconds: 20 };
      const { result } = await playSearch(backend.client, searchDocumentSchema.parse({ kind: 'characterize', plan, settings }));
      const { conclusion, runs } = result;
      if (conclusion.kind !== 'characterize') throw new TypeError('A server was looked at.');
      // Duplicates are removed, because runs with few users are repeated on a busy machine.
      const made = new Set(runs.map(({ purpose, level }) => `${purpose} ${level ?? ''}`.trim()));
      expect([...made]).toEqual(['users 1', 'users 2', 'users 4', 'idle']);
      expect(
        runs.reduce((sum, { requests }) => sum + requests, 0),
        'the server’s own count',
      ).toBe(target.seen.requests);
      const turnedAway = runs.flatMap(({ reading }) => (reading?.kind === 'users' ? [reading.errorResponses] : []));
      expect(new Set(turnedAway.slice(0, -1))).toEqual(new Set([0]));
      expect(turnedAway.at(-1)).toBeGreaterThan(0);
      expect(conclusion.serviceMs?.value).toBeGreaterThanOrEqual(SERVICE_MS - 1);
      expect(conclusion.keepAlive).toMatchObject({ reuses: true, openForSeconds: null });
      expect(conclusion.keepAlive.closedAfterSeconds).toBeGreaterThanOrEqual(IDLE_MS / 1_000 - 0.05);
    },
    PATIENCE_MS,
  );

  it('rejects a plan that must not start', async () => {
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

async function playSearch(client: Client, document: SearchDocument, onItem: (result: SearchResult) => Promise<void> = async () => {}) {
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
