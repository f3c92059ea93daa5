import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { afterEach, describe, expect, it } from 'vitest';
import type { GivenOptions } from '#core/base/lab/listing.ts';
import { type LoggedRequest, readLog } from '../readLog.ts';
import { whyNot } from '../testing/needs.ts';
import { ask, sendBurst, countStatuses } from '../testing/requests.ts';
import { testSurroundings } from '../testing/surroundings.ts';
import { maxSimultaneous, listPresence } from '../testing/together.ts';
import { Visitor } from '../testing/visitor.ts';
import { contestLab, type RunningContest } from './contest.ts';

const missing = await contestLab.missing(process.env);
const reasonWithout = (what: RegExp) => whyNot(missing.filter((one) => what.test(one.what)).map((one) => ({ ...one, needed: true })));
const noPostgresql = await reasonWithout(/postgres/i);
const noNginx = await reasonWithout(/nginx/i);

const startedLabs: RunningContest[] = [];
async function start(givenOptions: GivenOptions): Promise<RunningContest> {
  const lab = await contestLab.start({ 'service-ms': 0, ...givenOptions }, testSurroundings());
  startedLabs.push(lab);
  return lab;
}
afterEach(async () => {
  for (const lab of startedLabs.splice(0)) await lab.stop();
});

const runAction = async (lab: RunningContest, action: string): Promise<unknown> =>
  (await fetch(`${lab.control}actions/${action}`, { method: 'POST' })).json();

async function loggedIn(lab: RunningContest): Promise<Visitor> {
  const visitor = new Visitor(lab.urls[0] ?? '');
  const account = lab.accounts.at(-1);
  await visitor.logIn(account?.username ?? '', account?.password ?? '');
  return visitor;
}

async function onDatabase<Value>(lab: RunningContest, act: (client: Client) => Promise<Value>): Promise<Value> {
  const client = new Client({ connectionString: lab.addresses.find(({ label }) => label === 'Database')?.url ?? '' });
  await client.connect();
  try {
    return await act(client);
  } finally {
    await client.end();
  }
}

const rowsOf = (lab: RunningContest, query: string): Promise<Record<string, unknown>[]> =>
  onDatabase(lab, async (client) => (await client.query(query)).rows);

async function submit(visitor: Visitor, signal?: AbortSignal): Promise<Response> {
  const readForm = new FormData();
  readForm.set('_xsrf', visitor.cookies.get('_xsrf') ?? '');
  readForm.set('harbour.%l', new File(['int main() {}'], 'solution.cpp'));
  return visitor.send('/tasks/harbour/submit', readForm, signal);
}

describe('a solution with several files', () => {
  it('is accepted if all files are present and have the same language; outputs are accepted only without a language', async () => {
    const lab = await start({ languages: 'one', 'task-files': 'kinds' });
    const visitor = await loggedIn(lab);
    const submitFiles = async (task: string, names: Record<string, string>, language = ''): Promise<boolean> => {
      const readForm = new FormData();
      readForm.set('_xsrf', visitor.cookies.get('_xsrf') ?? '');
      for (const [field, name] of Object.entries(names)) readForm.set(field, new File(['text'], name));
      if (language !== '') readForm.set('language', language);
      const response = await visitor.send(`/tasks/${task}/submit`, readForm);
      return (response.headers.get('location') ?? '').includes('submission_id');
    };
    const both = { 'first.%l': 'a.cpp', 'second.%l': 'b.cc' };
    expect(await submitFiles('lanterns', both, 'C++17 / g++')).toBe(true);
    expect(await submitFiles('lanterns', { 'first.%l': 'a.cpp' }, 'C++17 / g++')).toBe(false);
    expect(await submitFiles('lanterns', { ...both, 'second.%l': 'b.py' }, 'C++17 / g++')).toBe(false);
    const outputs = { 'output_000.txt': 'a.txt', 'output_001.txt': 'b.cpp' };
    expect(await submitFiles('harbour', outputs)).toBe(true);
    expect(await submitFiles('harbour', outputs, 'C++17 / g++')).toBe(false);
    const readForm = async (task: string): Promise<string> => (await visitor.get(`/tasks/${task}/submissions`)).text();
    expect(await readForm('harbour')).toContain('TASK_LANGUAGES');
    expect(await readForm('harbour')).not.toContain('<select name="language">');
    expect(await readForm('lanterns')).toContain('<select name="language">');
    expect(await (await visitor.get('/notifications?last_notification=0')).json()).toMatchObject(
      Array.from({ length: 3 }, () => ({ level: 'error', text: 'Please select the correct files.' })),
    );
  });
});

describe('the evaluators of the practice contest', () => {
  it('process submissions in parallel, and need longer for the first one with a cold cache', async () => {
    const lab = await start({ accounts: 750, evaluators: 3, 'evaluation-ms': 120, 'cold-cache': true, 'cold-ms': 300 });
    expect(lab.accounts).toHaveLength(750);
    const visitor = await loggedIn(lab);
    for (let job = 0; job < 9; job += 1) await submit(visitor);
    const status = async (number: number): Promise<unknown> => (await visitor.get(`/tasks/harbour/submissions/${number}`)).json();
    expect(await status(9)).toEqual({ status: 1, status_text: 'Compiling...' });
    expect(await runAction(lab, 'evaluation-state')).toMatchObject({ evaluating: 3 });
    await expect.poll(() => status(9), { timeout: 30_000 }).toMatchObject({ status: 5, max_public_score: 100 });
    const logged = (): Promise<LoggedRequest[]> => readLog(lab.logs['evaluations'] ?? '');
    // A job's line may be written after the job's status can be read.
    await expect.poll(logged).toHaveLength(9);
    const jobs = (await logged()).sort((remainingRequest, right) => remainingRequest.startedAtMs - right.startedAtMs);
    expect(jobs.map(({ path }) => path)).toEqual(
      Array.from({ length: 9 }, (_, job) => `/tasks/harbour/submissions/${job + 1}?user=contestant750`),
    );
    expect(new Set(jobs.map(({ server }) => server)).size).toBe(3);
    const times = jobs.map(({ ms }) => ms);
    for (const ms of times.slice(0, 3)) expect(ms).toBeGreaterThanOrEqual(418);
    for (const ms of times.slice(3)) expect([ms >= 118, ms < 400]).toEqual([true, true]);
    expect(maxSimultaneous(listPresence(jobs))).toBe(3);
  });

  it('have no cold start after a warm-up, and end when the server stops', async () => {
    const lab = await start({ evaluators: 1, 'evaluation-ms': 60_000, 'cold-cache': true });
    const visitor = await loggedIn(lab);
    await runAction(lab, 'warm-up');
    await submit(visitor);
    await lab.stop();
  });
});

it('a shard can be stopped and restarted at its address', async () => {
  const lab = await start({ shards: 2 });
  const [first = '', second = ''] = lab.urls;
  await runAction(lab, 'stop-shard-2');
  expect([(await ask(first)).status, (await ask(second)).status]).toEqual([200, 0]);
  await runAction(lab, 'start-shard-2');
  expect((await ask(second)).status).toBe(200);
});

const sleepFor = async (ms: number): Promise<'nothing'> => sleep(ms, 'nothing');

it('a hanging shard accepts requests, and handles all of them when it resumes, even those of clients that have left', async () => {
  const lab = await start({ shards: 2 });
  const [first = '', second = ''] = lab.urls;
  const visitor = await loggedIn(lab);
  await runAction(lab, 'hang-shard-1');
  const [page, style] = [ask(first), ask(`${first}static/css/contest.css`)];
  const gone = submit(visitor, AbortSignal.timeout(300)).catch(() => 'gave up');
  expect(await Promise.race([page, style, sleepFor(500)])).toBe('nothing');
  expect((await ask(second)).status).toBe(200);
  expect(await gone).toBe('gave up');
  await runAction(lab, 'start-shard-1');
  expect([(await page).status, (await style).status]).toEqual([200, 200]);
  expect(await (await visitor.get('/tasks/harbour/submissions/1')).json()).toMatchObject({ status: 1 });
  expect(await runAction(lab, 'shard-events')).toMatchObject([
    { shard: 'shard-1', what: 'hung' },
    { shard: 'shard-1', what: 'came back' },
  ]);
});

it('a killed shard does no more work for its requests', async () => {
  const lab = await start({ shards: 1, 'service-ms': 400 });
  const visitor = await loggedIn(lab);
  const lost = submit(visitor).then(
    () => 'responded',
    () => 'lost',
  );
  await sleep(150);
  await runAction(lab, 'stop-shard-1');
  expect(await lost).toBe('lost');
  await sleep(500);
  await runAction(lab, 'start-shard-1');
  expect((await visitor.get('/tasks/harbour/submissions/1')).status).toBe(404);
});

it('a shard fails at the configured request for the configured time', async () => {
  const lab = await start({ shards: 2, 'shard-falls': 'dies', 'falling-shard': 2, 'falls-after': 4, 'falls-for-ms': 300 });
  const [first = '', second = ''] = lab.urls;
  const responses = [];
  for (let request = 1; request <= 5; request += 1) responses.push((await ask(second)).status);
  expect(responses).toEqual([200, 200, 200, 0, 0]);
  expect((await ask(first)).status).toBe(200);
  await expect.poll(async () => (await ask(second)).status, { timeout: 10_000 }).toBe(200);
});

it('a shard names itself in every response', async () => {
  const lab = await start({ shards: 2 });
  const readShard = await Promise.all(lab.urls.map(async (url) => (await fetch(url)).headers.get('x-shard')));
  expect(readShard).toEqual(['shard-1', 'shard-2']);
});

describe.skipIf(noNginx !== null)(noNginx ?? 'nginx in front of the shards', () => {
  const findShards = async (lab: RunningContest): Promise<Set<string | null>> => {
    const responses = await Promise.all(Array.from({ length: 12 }, () => fetch(lab.urls[0] ?? '', { headers: { connection: 'close' } })));
    return new Set(responses.map(({ headers }) => headers.get('x-shard')));
  };

  it('sends all visitors with the same address to one shard, like the default of CMS', async () => {
    const lab = await start({ shards: 4, front: 'hash' });
    expect(lab.urls).toHaveLength(1);
    expect((await findShards(lab)).size).toBe(1);
  });

  it('reports the upstreams: a list after a retry, and its own name if no shard is left', async () => {
    const lab = await start({ shards: 2, front: 'in-turn', 'shard-header': 'upstream' });
    const [url = ''] = lab.urls;
    const shards = lab.addresses.filter(({ label }) => label.startsWith('Shard')).map(({ url: address }) => new URL(address).host);
    const readShard = async (): Promise<unknown> => (await ask(url)).headers['x-shard'];
    expect(new Set([await readShard(), await readShard()])).toEqual(new Set(shards));
    await runAction(lab, 'stop-shard-1');
    expect(await Promise.all([readShard(), readShard()])).toContain(shards.join(', '));
    expect(await readShard()).toBe(shards[1]);
    await runAction(lab, 'stop-shard-2');
    const last = [(await ask(url)).headers['x-shard'], await ask(url)];
    expect(last).toMatchObject([`${shards[1]}, contest`, { status: 502, headers: { 'x-shard': 'contest' } }]);
  });

  it('leaves a hanging shard after the time-out and asks the next shard', async () => {
    const lab = await start({ shards: 2, front: 'in-turn', 'shard-header': 'upstream', 'proxy-timeout-ms': 400 });
    await runAction(lab, 'hang-shard-1');
    const responses = await Promise.all([1, 2].map(() => ask(lab.urls[0] ?? '')));
    expect(countStatuses(responses)).toEqual({ 200: 2 });
    expect(responses.filter(({ ms, headers }) => ms >= 400 && String(headers['x-shard']).includes(', '))).toHaveLength(1);
  });

  it('distributes requests to the shards in turn if configured', async () => {
    expect((await findShards(await start({ shards: 4, front: 'in-turn' }))).size).toBe(4);
  });
});

it('the contest gives all contestants the same password, and limits how often they submit', async () => {
  const lab = await start({ 'one-password': true, 'submit-seconds': 60 });
  expect(new Set(lab.accounts.map(({ password }) => password))).toEqual(new Set(['practice']));
  const visitor = await loggedIn(lab);
  const [first, second] = [await submit(visitor), await submit(visitor)];
  expect(first.headers.get('location')).toContain('submission_id=');
  expect(second).toMatchObject({ status: 302 });
  expect(second.headers.get('location')).toBe('/tasks/harbour/submissions');
});

it('the contest counts leaked internal connections', async () => {
  const lab = await start({ shards: 1, 'leak-one-in': 5 });
  await Promise.all(Array.from({ length: 20 }, () => ask(lab.urls[0] ?? '')));
  expect(await (await fetch(`${lab.control}gauges`)).json()).toEqual({ connections: 4 });
});

describe.skipIf(noPostgresql !== null)(noPostgresql ?? 'the database of the practice contest', () => {
  it('rejects connections beyond its limit, and pages respond with 500', async () => {
    const lab = await start({ database: 'postgresql', 'database-limit': 10, pool: 20, 'service-ms': 3_000 });
    expect((await ask(lab.urls[0] ?? '')).status).toBe(200);
    await onDatabase(lab, async (client) => {
      // The connection that created the tables is counted until the server process for that connection has ended.
      const others = "SELECT 1 FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()";
      await expect.poll(async () => (await client.query(others)).rowCount).toBe(1);
      const asked: ReturnType<typeof ask>[] = [];
      // The requests are sent one after the other, because a connection counts even while it is being rejected.
      for (let request = 0; request < 16; request += 1) {
        asked.push(ask(lab.urls[request % lab.urls.length] ?? ''));
        await sleep(100);
      }
      const responses = await Promise.all(asked);
      // Six of ten connections are left: three are reserved for the administrator, and the test uses one to look at the counts.
      expect(countStatuses(responses)).toEqual({ 200: 6, 500: 10 });
    });
  });

  it('blocks while every connection belongs to a page that needs a second one, until the pages time out', async () => {
    const lab = await start({
      database: 'postgresql',
      shards: 1,
      pool: 2,
      'pool-overflow': 2,
      'pool-wait-ms': 2_000,
      'second-connection': true,
      'service-ms': 100,
    });
    const [url = ''] = lab.urls;
    const page = `${url}tasks/harbour/description`;
    // With one spare connection, each page gets its second connection in turn.
    expect(countStatuses(await sendBurst(page, 3))).toEqual({ 302: 3 });
    const frozen = sendBurst(page, 6);
    await sleep(800);
    expect((await ask(`${url}static/css/contest.css`)).ms).toBeLessThan(600);
    const held = await rowsOf(lab, "SELECT state FROM pg_stat_activity WHERE usename = 'contest'");
    expect(held.map(({ state }) => state)).toEqual(Array.from({ length: 4 }, () => 'idle in transaction'));
    const responses = await frozen;
    // Two pages get no connection, and at least the first page that needs its second connection fails as well.
    expect(countStatuses(responses)[500]).toBeGreaterThanOrEqual(3);
    for (const { ms } of responses) expect(ms).toBeGreaterThan(1_900);
    expect((await ask(page)).status).toBe(302);
    expect(await rowsOf(lab, "SELECT 1 FROM pg_stat_activity WHERE usename = 'contest'")).toHaveLength(2);
  });

  it('exhausts its connections when they leak', async () => {
    const lab = await start({ database: 'postgresql', 'database-limit': 10, pool: 1, shards: 1, 'leak-one-in': 2 });
    const responses = [];
    for (let request = 1; request <= 16; request += 1) responses.push((await ask(lab.urls[0] ?? '')).status);
    // One of the seven connections is in the pool. The seventh leak, which is at the fourteenth request, finds no connection left.
    expect(responses).toEqual([...Array.from({ length: 13 }, () => 200), 500, 200, 500]);
  });
});
