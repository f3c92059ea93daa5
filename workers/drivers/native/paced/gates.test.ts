import { afterEach, describe, expect, it } from 'vitest';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { BellTally, type BellResult } from '#core/result/bells.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import { drive, type DriveResult } from '#workers/testing/drive.ts';
import { httpServer, type TestServer } from '#workers/testing/servers.ts';

const opened: TestServer[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

const USERS = 20;

interface LoggedRequest {
  readonly path: string;
  readonly atMs: number;
}

/** Starts a server that logs the arrival of each request. `respond` handles a path, and receives the number of earlier requests for it. */
async function serve(
  respond: (path: string, count: number, response: ServerResponse, request: IncomingMessage) => void,
): Promise<{ url: string; log: LoggedRequest[] }> {
  const log: LoggedRequest[] = [];
  const server = await httpServer((request, response) => {
    const path = request.url ?? '';
    const count = log.filter((line) => line.path === path).length;
    log.push({ path, atMs: performance.now() });
    respond(path, count, response, request);
  });
  opened.push(server);
  return { url: server.url, log };
}

const JOURNEY: PlanInput['journey'] = [
  { name: 'login', method: 'POST', path: '/login', once: true, required: true },
  { name: 'start', method: 'POST', path: '/start', gate: 'start' },
  { name: 'question', path: '/question' },
];
const BELLS: PlanInput['bells'] = { start: { atSeconds: 0.6 } };
const USERS_LOAD: PlanInput['load'] = {
  model: 'users',
  thinkTime: { kind: 'fixed', seconds: 0.2 },
  stages: [{ users: USERS, startUpSeconds: 0.3, startUpCounts: true, seconds: 0.9 }],
};
const ARRIVALS_LOAD: PlanInput['load'] = {
  model: 'arrivals',
  stages: [
    { kind: 'count', arrivals: USERS, seconds: 0.3 },
    { kind: 'pause', seconds: 0.9 },
  ],
};

async function ring(url: string, plan: Partial<PlanInput>, load: PlanInput['load']): Promise<{ driven: DriveResult; bell: BellResult }> {
  const driven = await drive({ targets: [url], load, plan });
  const tally = new BellTally();
  for (const window of driven.windows) tally.add(window);
  const whole = planSchema.parse({ holdfast: 1, name: 'test', targets: [{ url }], journey: JOURNEY, ...plan, load });
  const [bell] = tally.results(whole);
  if (bell === undefined) throw new Error('No bell rang.');
  return { driven, bell };
}

const inTime = (log: readonly LoggedRequest[], path: string): number[] => log.flatMap((line) => (line.path === path ? [line.atMs] : []));

describe('a gate', () => {
  it.each([
    ['users', USERS_LOAD],
    ['arrivals', ARRIVALS_LOAD],
  ])('releases all waiting users at once: %s', async (_model, load) => {
    const { url, log } = await serve((_path, _count, response) => response.end('ok'));
    const { driven, bell } = await ring(url, { journey: JOURNEY, bells: BELLS }, load);
    const [logins, starts] = [inTime(log, '/login'), inTime(log, '/start').slice(0, USERS)];
    expect(bell).toMatchObject({ bell: 'start', step: 'start', expected: USERS, waited: USERS, late: 0, absent: 0 });
    expect(bell).toMatchObject({ served: USERS, failed: 0, unfinished: 0 });
    expect(Math.min(...starts)).toBeGreaterThan(Math.max(...logins));
    // The logins were spread over 0.3 s, but the starts at the bell were simultaneous.
    expect(Math.max(...starts) - Math.min(...starts)).toBeLessThan((Math.max(...logins) - Math.min(...logins)) / 2);
    expect(bell.opening.reduce((sum, { served }) => sum + served, 0)).toBe(USERS);
    expect(driven.cell.started).toBe(log.length);
  });

  it('measures the wait for the server from the bell to the end of the step, including redirects', async () => {
    const { url } = await serve((path, count, response) => {
      if (path === '/start') setTimeout(() => response.writeHead(303, { location: '/question' }).end(), 10 * count);
      else response.end('ok');
    });
    const journey: PlanInput['journey'] = [
      { name: 'login', method: 'POST', path: '/login' },
      { name: 'start', method: 'POST', path: '/start', gate: 'start', redirects: { follow: true } },
    ];
    const { bell } = await ring(url, { journey, bells: BELLS }, ARRIVALS_LOAD);
    expect(bell).toMatchObject({ waited: USERS, served: USERS, failed: 0 });
    expect(bell.lastServedMs).toBeGreaterThanOrEqual(10 * (USERS - 1));
    expect(bell.p50Ms).toBeGreaterThanOrEqual(10 * (USERS / 2 - 1));
  });

  it('counts users who failed to start, and users without a response', async () => {
    const { url } = await serve((path, count, response, request) => {
      if (path !== '/start' || count >= 8) return void response.end('ok');
      if (count < 5) response.writeHead(502).end();
      else request.socket.destroy();
    });
    const { bell } = await ring(url, { journey: JOURNEY, bells: BELLS }, ARRIVALS_LOAD);
    expect(bell).toMatchObject({ waited: USERS, served: USERS - 8, failed: 8, unfinished: 0 });
  });

  it('counts users who had to reload separately from users who were lost', async () => {
    const { url, log } = await serve((path, count, response, request) => {
      if (path !== '/start' || count >= 9) return void response.end('ok');
      if (count < 5) response.writeHead(503).end();
      else if (count < 8) request.socket.destroy();
      else response.writeHead(500).end();
    });
    const reload = { most: 2, fromSeconds: 0.05, toSeconds: 0.1 };
    const journey = JOURNEY.map((step) => (step.name === 'start' ? { ...step, reload } : step));
    const { driven, bell } = await ring(url, { journey, bells: BELLS }, ARRIVALS_LOAD);
    expect(bell).toMatchObject({ waited: USERS, served: USERS - 1, failed: 1, reloaded: 8 });
    expect(inTime(log, '/start')).toHaveLength(USERS + 8);
    expect(driven.cell).toMatchObject({ started: log.length, reloads: 8 });
  });

  it('counts a user as lost if the last reload fails', async () => {
    const { url, log } = await serve((path, _count, response) => void response.writeHead(path === '/start' ? 502 : 200).end());
    const journey = JOURNEY.map((step) => (step.name === 'start' ? { ...step, reload: { most: 2, fromSeconds: 0, toSeconds: 0 } } : step));
    const { bell } = await ring(url, { journey, bells: BELLS }, ARRIVALS_LOAD);
    expect(bell).toMatchObject({ waited: USERS, served: 0, failed: USERS, reloaded: USERS });
    expect(inTime(log, '/start')).toHaveLength(3 * USERS);
  });

  it.each([
    ['continue', USERS],
    ['leave', USERS - 3],
  ] as const)('counts users who come after the bell, who then %s', async (late, starts) => {
    const { url, log } = await serve((path, count, response) => {
      setTimeout(() => response.end('ok'), path === '/login' && count < 3 ? 800 : 0);
    });
    const plan = { journey: JOURNEY, bells: { start: { atSeconds: 0.6, late } } };
    const { driven, bell } = await ring(url, plan, ARRIVALS_LOAD);
    expect(bell).toMatchObject({ expected: USERS, waited: USERS - 3, late: 3, absent: 0, served: USERS - 3 });
    expect(inTime(log, '/start')).toHaveLength(starts);
    expect(driven.journeys).toMatchObject({ started: USERS, abandoned: USERS - starts });
    expect(driven.steps.map(({ step, journeysAbandoned }) => [step, journeysAbandoned])).toEqual(
      [0, 1, 2].map((step) => [step, step === 1 ? USERS - starts : 0]),
    );
  });

  it('counts users whose login failed as absent', async () => {
    const { url } = await serve((path, count, response) => {
      response.writeHead(path === '/login' && count < 4 ? 403 : 200).end();
    });
    const { bell } = await ring(url, { journey: JOURNEY, bells: BELLS }, ARRIVALS_LOAD);
    expect(bell).toMatchObject({ expected: USERS, waited: USERS - 4, late: 0, absent: 4 });
  });

  it('may be the first step: users then wait before their first request', async () => {
    const { url, log } = await serve((_path, _count, response) => response.end('ok'));
    const journey: PlanInput['journey'] = [{ name: 'start', path: '/start', gate: 'start' }];
    const { bell } = await ring(url, { journey, bells: BELLS }, ARRIVALS_LOAD);
    expect(bell).toMatchObject({ waited: USERS, served: USERS });
    expect(log).toHaveLength(USERS);
  });
});
