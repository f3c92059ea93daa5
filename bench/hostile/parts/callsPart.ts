import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StreamInput, StreamItem, StreamName } from '#contract/api.ts';
import type { Client } from '#contract/rpc/client.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import type { WatchedApp } from '../app/watchedApp.ts';
import { PLANS } from '../plans.ts';
import type { HostileProcess } from '../server/startHostile.ts';
import { earlyReadingSecond, describeThrown, type Findings, type PartContext } from './part.ts';

/** Maximum duration of a call that waits for a server, in ms. */
const CALL_LIMIT_MS = 150_000;
/** Error codes that show a fault in Holdfast. Any other error is a valid result with a hostile server. */
const FAULTS = new Set(['INTERNAL', 'BAD_OUTPUT', 'GONE', 'HUNG']);
const PATHS = ['/any', '/calm/page', '/calm/json', '/calm/sitemap', '/calm/login'] as const;

type ContactingCall = (context: PartContext, turn: number) => Promise<unknown>;

/** All calls that contact a server and start no load. */
const CONTACTING_CALLS: Readonly<Record<string, ContactingCall>> = {
  probe: ({ app, server }, turn) =>
    app.client.call('targets.probe', { target: { url: `${server.url}${PATHS[turn % PATHS.length] ?? ''}` } }),
  'probe (TLS)': ({ app, server }) =>
    app.client.call('targets.probe', { target: { url: `${server.secureUrl}/calm/page` }, tls: { verify: false } }),
  login: ({ app, server }) =>
    app.client.call('targets.login', { url: `${server.url}/calm/login`, username: 'somebody', password: 'hidden-word' }),
  crawl: ({ app, server }) =>
    lastItemOf(app.client, 'sites.crawl', {
      target: { url: `${server.url}/calm/page`, headers: {} },
      bounds: { maxPages: 40, maxDepth: 5, maxSeconds: 8, resources: true },
    }),
  'try journey': ({ app, server }) => app.client.call('plans.try', { plan: PLANS.journey(server, 5, 'native') }),
  'try pages': ({ app, server }) => app.client.call('plans.try', { plan: PLANS.pages(server, 5, 'native') }),
  check: ({ app, server }) => app.client.call('checks.machine', { plan: PLANS.load(server, 5, 'native'), asksTarget: true }),
  populate: async ({ app, server }) => {
    const plan = await populatePlan(app, server);
    const { id } = await app.client.call('populate.start', { plan });
    return lastItemOf(app.client, 'populate.watch', { id });
  },
};

export const CALL_NAMES = Object.keys(CONTACTING_CALLS);

/** Makes all calls in turn until the time is over. */
export async function runCalls(context: PartContext): Promise<Findings> {
  const { app, server, seconds, signal, notify } = context;
  await app.begin();
  const before = await server.counts();
  const startedMs = performance.now();
  const leftMs = (): number => startedMs + seconds * 1_000 - performance.now();
  const wrong = new Map<string, number>();
  let early: Findings['memory']['early'] = null;
  let calls = 0;
  let largest = 0;
  for (let turn = 0; (leftMs() > 0 || turn === 0) && !signal.aborted && app.seen.ended === null; turn += 1) {
    for (const [name, ask] of Object.entries(CONTACTING_CALLS)) {
      if (signal.aborted || (leftMs() <= 0 && turn > 0)) break;
      const problem = await withTimeLimit(ask(context, turn)).then(
        (response) => {
          largest = Math.max(largest, Buffer.byteLength(JSON.stringify(response)));
          return null;
        },
        (thrown: unknown) => (isFault(thrown) ? describeThrown(thrown) : null),
      );
      calls += 1;
      if (problem !== null) wrong.set(`${name}: ${problem}`, (wrong.get(`${name}: ${problem}`) ?? 0) + 1);
    }
    if (early === null && leftMs() < (seconds - earlyReadingSecond(seconds)) * 1_000) early = await app.memory();
  }
  const after = await server.counts();
  notify(`${calls} calls`);
  return {
    requests: null,
    serverRequests: after.requests - before.requests,
    hasMemory: true,
    memory: { early, late: await app.memory() },
    seen: app.seen,
    resultBytes: largest,
    storeBytes: await app.storeBytes(),
    hasEnded: true,
    wrong: [...wrong].map(([words, count]) => `${words}${count > 1 ? ` (${count} times)` : ''}`),
  };
}

function isFault(thrown: unknown): boolean {
  return !(thrown instanceof Error && 'code' in thrown && !FAULTS.has(String(thrown.code)));
}

function withTimeLimit<Value>(asked: Promise<Value>): Promise<Value> {
  return Promise.race([
    asked,
    sleep(CALL_LIMIT_MS, undefined, { ref: false }).then(() => {
      throw Object.assign(new Error(`There was no response within ${CALL_LIMIT_MS / 1_000} s.`), { code: 'HUNG' });
    }),
  ]);
}

function lastItemOf<N extends StreamName>(client: Client, name: N, input: StreamInput<N>): Promise<StreamItem<N> | null> {
  return new Promise((resolve, reject) => {
    let last: StreamItem<N> | null = null;
    client.open(name, input, {
      onItem: (item) => {
        last = item;
      },
      onEnd: (problem) => (problem === undefined ? resolve(last) : reject(problem)),
    });
  });
}

async function populatePlan(app: WatchedApp, server: HostileProcess) {
  const file = join(app.dataDirectory, 'people.csv');
  await writeFile(file, `username,password\n${Array.from({ length: 10 }, (_, row) => `user${row},word${row}`).join('\n')}\n`);
  return planSchema.parse({
    ...PLANS.load(server, 5, 'native'),
    feeds: { people: { file } },
    populate: {
      feed: 'people',
      perSecond: 50,
      journey: [
        { name: 'form', path: '/calm/page', captures: [{ from: 'between', as: 'csrf', after: 'name="csrf" value="', before: '">' }] },
        {
          name: 'make',
          path: '/calm/any',
          method: 'POST',
          form: { csrf: '{{csrf}}', name: '{{people.username}}' },
          captures: [{ from: 'header', as: 'made', name: 'X-Token' }],
        },
      ],
    },
  });
}
