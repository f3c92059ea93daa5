import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { drive } from '#workers/testing/drive.ts';
import { discrepancies } from '#workers/testing/exactness.ts';
import { driveThreads } from '#workers/drivers/native/paced/testing/driveThreads.ts';
import { httpServer, type TestServer } from '#workers/testing/servers.ts';

const opened: TestServer[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

interface SeenRequest {
  readonly path: string;
  readonly cookie: string;
  readonly authorization: string | undefined;
  readonly atMs: number;
}

async function serve(
  statusOf: (path: string) => number = () => 200,
): Promise<{ server: TestServer; seen: SeenRequest[]; count(path: string): number }> {
  const seen: SeenRequest[] = [];
  const server = await httpServer((request, response) => {
    const path = request.url ?? '';
    void text(request).then(() => {
      seen.push({ path, cookie: request.headers.cookie ?? '', authorization: request.headers.authorization, atMs: performance.now() });
      if (statusOf(path) === 0) return;
      if (path.startsWith('/login')) response.setHeader('Set-Cookie', `sid=${path.slice(7)}; Path=/`);
      response.writeHead(statusOf(path)).end(JSON.stringify({ right: `answer to ${path}`, path }));
    });
  });
  opened.push(server);
  return { server, seen, count: (path) => seen.filter((each) => each.path === path).length };
}

const users = (count: number, seconds: number, startUpSeconds = 0): PlanInput['load'] => ({
  model: 'users',
  thinkTime: { kind: 'fixed', seconds: 0.05 },
  stages: [{ users: count, seconds, startUpSeconds }],
});
const number = { number: { kind: 'number' as const } };

describe('background requests of users', () => {
  const journey: PlanInput['journey'] = [
    { name: 'login', path: '/login/{{number}}', once: true },
    { name: 'page', path: '/page' },
    { name: 'news', path: '/news', background: { everySeconds: 0.2, after: 'login' } },
  ];

  it('end with the first successful response to a step, and skip an interval while a request of the journey is in flight', async () => {
    const { server, count } = await serve();
    const background = { everySeconds: 0.1, after: 'login', until: 'end' };
    const ended = [
      { name: 'login', path: '/login/1', once: true, thinkTime: { kind: 'fixed' as const, seconds: 0.55 } },
      { name: 'end', path: '/end', thinkTime: { kind: 'fixed' as const, seconds: 5 } },
      { name: 'news', path: '/news', background },
    ];
    await drive({ targets: [server.url], load: users(1, 1.5), plan: { journey: ended, variables: number } });
    expect(count('/news')).toBeGreaterThanOrEqual(3);
    expect(count('/news')).toBeLessThanOrEqual(6);
    const busy = await serve((path) => (path === '/slow' ? 0 : 200));
    const slow = [
      { name: 'login', path: '/login/1', once: true, thinkTime: { kind: 'fixed' as const, seconds: 0 } },
      { name: 'slow', path: '/slow' },
      { name: 'news', path: '/news', background: { everySeconds: 0.1, after: 'login', inPauses: true } },
    ];
    await drive({ targets: [busy.server.url], load: users(1, 1), plan: { journey: slow, variables: number, timeoutSeconds: 2 } });
    expect(busy.count('/news')).toBe(0);
  });

  it("are sent at their interval with random phases, with their user's cookies, and with figures of their own", async () => {
    const { server, seen, count } = await serve();
    const driven = await drive({ targets: [server.url], load: users(20, 2), plan: { journey, variables: number } });
    expect(discrepancies(driven, server.requests)).toEqual([]);
    expect(driven.steps.map(({ started }) => started)).toEqual([20, count('/page'), count('/news')]);
    expect(driven.steps[2]?.outcomes).toEqual({ ok: count('/news') });
    // There are 20 users with 10 intervals each, and the first request comes at a random time.
    expect(count('/news')).toBeGreaterThan(20 * 8);
    expect(count('/news')).toBeLessThanOrEqual(20 * 11);
    const news = seen.filter(({ path }) => path === '/news');
    const perUser = Map.groupBy(news, ({ cookie }) => cookie);
    expect(perUser.size).toBe(20);
    expect(perUser.has('')).toBe(false);
    // The phases are distributed over the whole interval.
    const phases = [...perUser.values()].map(([first]) => ((first?.atMs ?? 0) - (seen[0]?.atMs ?? 0)) % 200);
    expect(Math.max(...phases) - Math.min(...phases)).toBeGreaterThan(80);
    expect(driven.journeys.started).toBe(driven.journeys.finished + driven.journeys.abandoned);
  });

  it('are the same on any number of threads', async () => {
    const counts = async (threads: number): Promise<number> => {
      const { server, count } = await serve();
      const beside = [{ name: 'page' }, { name: 'news', path: '/news', background: { everySeconds: 0.5 } }];
      const driven = await driveThreads({
        targets: [server.url],
        load: { model: 'users', thinkTime: { kind: 'fixed', seconds: 0.3 }, stages: [{ users: 12, seconds: 1.4 }] },
        threads,
        plan: { journey: beside, cookies: 'user' },
      });
      expect(driven.discrepancies(server.requests)).toEqual([]);
      return count('/news');
    };
    const [three, one] = await Promise.all([counts(3), counts(1)]);
    expect(three).toBe(one);
  });

  it('end cleanly if no response arrives, and wait if no connection is free', async () => {
    const { server, count } = await serve((path) => (path === '/news' ? 0 : 200));
    const beside = [{ name: 'page' }, { name: 'news', path: '/news', background: { everySeconds: 0.1 } }];
    const driven = await drive({
      targets: [server.url],
      load: users(2, 1.5),
      plan: { journey: beside, cookies: 'user', drainSeconds: 0.3 },
    });
    expect(discrepancies(driven, server.requests)).toEqual([]);
    expect(count('/news')).toBe(12);
    expect(driven.inFlight).toBe(12);
    expect(driven.steps[1]?.outcomes).toEqual({});
  });

  it('continue while their user is in a pause that is longer than the load', async () => {
    const { server, count } = await serve();
    const beside = [{ name: 'page' }, { name: 'news', path: '/news', background: { everySeconds: 0.1 } }];
    const load: PlanInput['load'] = { model: 'users', thinkTime: { kind: 'fixed', seconds: 60 }, stages: [{ users: 3, seconds: 1 }] };
    const driven = await drive({ targets: [server.url], load, plan: { journey: beside, cookies: 'user' } });
    expect(count('/')).toBe(3);
    expect(count('/news')).toBeGreaterThanOrEqual(27);
    expect(count('/news')).toBeLessThanOrEqual(33);
    expect(discrepancies(driven, server.requests)).toEqual([]);
    expect(driven.elapsedUs).toBeLessThan(10_000_000);
  });

  it('stop with the run', async () => {
    const { server } = await serve();
    const beside = [{ name: 'page' }, { name: 'news', path: '/news', background: { everySeconds: 0.1 } }];
    const driven = await drive({
      targets: [server.url],
      load: users(5, 60),
      plan: { journey: beside, cookies: 'user' },
      onRun: (run) => void setTimeout(() => run.drain(), 400),
    });
    expect(driven.elapsedUs).toBeLessThan(10_000_000);
    expect(discrepancies(driven, server.requests)).toEqual([]);
    expect(driven.inFlight).toBe(0);
  });
});

describe('a side call', () => {
  const plan = (oracle: string): Partial<PlanInput> => ({
    targets: [],
    variables: number,
    sideHosts: ['127.0.0.1'],
    journey: [
      { name: 'login', path: '/login/{{number}}' },
      { name: 'oracle', path: `${oracle}ask?q={{number}}`, measured: false, captures: [{ from: 'json', as: 'right', path: '$.right' }] },
      { name: 'submit', path: '/submit/{{right}}' },
    ],
  });

  it("is sent to its own server without the target's cookies and headers, and is not part of any figure", async () => {
    const { server, seen } = await serve();
    const oracle = await serve();
    const { targets: _none, ...rest } = plan(oracle.server.url);
    for (const load of [users(4, 0.6), { model: 'connections' as const, stages: [{ connections: 3, requests: 40 }] }]) {
      seen.length = 0;
      oracle.seen.length = 0;
      const before = server.requests;
      const driven = await drive({ targets: [server.url], load, plan: rest, headers: { Authorization: 'Bearer secret' } });
      expect(discrepancies(driven, server.requests - before)).toEqual([]);
      expect(driven.steps[1]?.started).toBe(0);
      expect(driven.cell.errors).toEqual({});
      const side = driven.windows.flatMap((window) => window.side?.cells ?? []);
      expect(side.reduce((sum, { started }) => sum + started, 0)).toBe(oracle.seen.length);
      expect(side.reduce((sum, { outcomes }) => sum + (outcomes.ok ?? 0), 0)).toBe(oracle.seen.length);
      expect(oracle.seen.length).toBeGreaterThan(5);
      expect(oracle.seen.every(({ cookie, authorization }) => cookie === '' && authorization === undefined)).toBe(true);
      expect(seen.every(({ authorization }) => authorization === 'Bearer secret')).toBe(true);
      expect(seen.filter(({ path }) => path.startsWith('/submit/answer%20to%20%2Fask')).length).toBeGreaterThan(5);
    }
  });

  it('that fails ends its journey and counts as failed', async () => {
    const { server, count } = await serve();
    const oracle = await serve(() => 500);
    const { targets: _none, ...rest } = plan(oracle.server.url);
    const driven = await drive({
      targets: [server.url],
      load: { model: 'arrivals', stages: [{ kind: 'count', arrivals: 10, seconds: 0.2 }] },
      plan: rest,
    });
    expect(discrepancies(driven, server.requests)).toEqual([]);
    expect(driven.journeys).toMatchObject({ started: 10, finished: 0, abandoned: 10 });
    expect(driven.cell.outcomes).toEqual({ ok: 10 });
    expect(count('/submit/')).toBe(0);
    const side = driven.windows.flatMap((window) => window.side?.cells ?? []);
    expect(side.reduce((sum, { outcomes }) => sum + (outcomes.httpError ?? 0), 0)).toBe(10);
    expect(side[0]?.errors).toHaveProperty(['status 500']);
  });

  it('without a response is outstanding, separately from requests to the target', async () => {
    const { server } = await serve();
    const silent = await serve(() => 0);
    const { targets: _none, ...rest } = plan(silent.server.url);
    const driven = await drive({ targets: [server.url], load: users(3, 0.3), plan: { ...rest, drainSeconds: 0.2 } });
    expect(driven.inFlight).toBe(0);
    expect(driven.windows.at(-1)?.side).toMatchObject({ inFlight: 3 });
    expect(driven.journeys).toMatchObject({ started: 3, finished: 0, abandoned: 0 });
  });
});
