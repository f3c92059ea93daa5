import { describe, expect, it } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { drive } from '#workers/testing/drive.ts';
import { driveThreads } from './testing/driveThreads.ts';
import { serve } from './testing/serve.ts';

it('users driver: users keep their cookies from one stage to the next, and requests of a start-up that counts are recorded in its stage', async () => {
  const seen: string[] = [];
  let given = 0;
  const server = await serve((request, response) => {
    seen.push(`${request.url} ${request.headers.cookie ?? '-'}`);
    if (request.url === '/login') response.setHeader('Set-Cookie', `user=${(given += 1)}; Path=/`);
    response.end();
  });
  const load: PlanInput['load'] = {
    model: 'users',
    thinkTime: { kind: 'fixed', seconds: 0.02 },
    stages: [
      { name: 'arrival', users: 3, startUpSeconds: 0.15, startUpCounts: true, seconds: 0.1 },
      { name: 'day', users: 3, seconds: 0.2, continues: true },
      { name: 'rush', users: 3, seconds: 0.2, continues: true },
    ],
  };
  const journey: PlanInput['journey'] = [
    { name: 'login', path: 'login', once: true },
    { name: 'page', path: 'page' },
    { name: 'submit', path: 'submit' },
  ];
  const flow: PlanInput['flow'] = [
    'login',
    {
      choose: [
        { weight: 1, flow: ['page'], weightIn: { rush: 0 } },
        { weight: 0, flow: ['submit'], weightIn: { rush: 1 } },
      ],
    },
  ];
  const driven = await drive({ targets: [server.url], load, plan: { journey, flow } });
  expect(driven.cell.outcomes).toEqual({ ok: seen.length });
  expect(seen.filter((line) => line.startsWith('/login'))).toEqual(['/login -', '/login -', '/login -']);
  expect(new Set(seen.filter((line) => !line.startsWith('/login')).map((line) => line.split(' ')[1]))).toEqual(
    new Set(['user=1', 'user=2', 'user=3']),
  );
  const cells = driven.windows.flatMap((window) => window.cells);
  const started = (stage: number, step: number): number =>
    cells.filter((cell) => cell.stage === stage && cell.step === step).reduce((sum, cell) => sum + cell.started, 0);
  expect([0, 1, 2].map((stage) => started(stage, 0))).toEqual([3, 0, 0]);
  for (const stage of [0, 1]) expect(started(stage, 1)).toBeGreaterThan(5);
  expect(started(2, 2)).toBeGreaterThan(5);
  // A user who was on a journey when the stage began continues that journey.
  expect([started(0, 2), started(1, 2), started(2, 1) <= 3]).toEqual([0, 0, true]);
  expect(cells.every(({ stage }) => stage < 3)).toBe(true);
});

it.each([1, 2])(
  'users driver: users with a pace begin a journey each time it has passed, however long the journey takes, on %i threads',
  async (threads) => {
    const server = await serve((_, response) => {
      setTimeout(() => response.end(), 30);
    });
    const driven = await driveThreads({
      targets: [server.url],
      threads,
      load: { model: 'users', paceSeconds: 0.2, stages: [{ users: 3, startUpSeconds: 0.15, seconds: 1 }] },
      plan: { journey: [{ name: 'a' }, { name: 'b' }], cookies: 'user' },
    });
    expect(driven.discrepancies(server.requests)).toEqual([]);
    const begins = driven.starts.filter(({ step }) => step === 0).map(({ intendedUs }) => Math.round(intendedUs / 1_000));
    const expected = [0, 50, 100].flatMap((first) => [0, 1, 2, 3, 4, 5].map((at) => first + 200 * at)).filter((at) => at < 1_150);
    expect(begins).toEqual(expected.toSorted((one, other) => one - other));
  },
);

describe('users of stages with different user counts', () => {
  const stepped: PlanInput['load'] = {
    model: 'users',
    thinkTime: { kind: 'fixed', seconds: 0.04 },
    stages: [
      { name: 'four', users: 4, startUpSeconds: 0.2, seconds: 0.3 },
      { name: 'eight', users: 8, startUpSeconds: 0.2, seconds: 0.3 },
      { name: 'two', users: 2, startUpSeconds: 0.2, seconds: 0.3 },
      { name: 'three', users: 3, seconds: 0.3 },
    ],
  };
  const journey: PlanInput['journey'] = [
    { name: 'login', path: '/login/{{number}}', once: true },
    { name: 'page', path: '/page/{{number}}' },
    { name: 'news', path: '/news/{{number}}', background: { everySeconds: 0.1, after: 'login' } },
  ];

  it.each([1, 3])('stay if the count grows, and leave between two steps if it falls, on %i threads', async (threads) => {
    const seen: { path: string; user: number; atMs: number }[] = [];
    const server = await serve((request, response) => {
      const [, path = '', user = ''] = (request.url ?? '').split('/');
      seen.push({ path, user: Number(user), atMs: performance.now() });
      setTimeout(() => response.end(), 5);
    });
    let startMs = 0;
    const driven = await driveThreads({
      targets: [server.url],
      load: stepped,
      threads,
      plan: { journey, variables: { number: { kind: 'number' } } },
      onRuns: (_, startUs) => {
        startMs = startUs / 1_000;
      },
    });
    expect(driven.discrepancies(server.requests)).toEqual([]);
    expect(startMs).toBeGreaterThan(0);
    // The third user left in an earlier stage, and starts again in the last one.
    expect(seen.flatMap(({ path, user }) => (path === 'login' ? [user] : [])).toSorted()).toEqual([1, 2, 3, 3, 4, 5, 6, 7, 8]);
    expect(driven.inFlight).toBe(0);
    const usersDue = (fromMs: number, toMs: number): number =>
      driven.starts.filter(({ step, intendedUs }) => step < 2 && intendedUs >= fromMs * 1_000 && intendedUs < toMs * 1_000).length;
    // Each user sends a request at most every 45 ms: at most 7 in 300 ms.
    expect(usersDue(1_200, 1_500)).toBeLessThanOrEqual(2 * 7);
    expect(usersDue(700, 1_000)).toBeGreaterThan(usersDue(200, 500));
    // Requests that are due while the number of users changes belong to the start-up of a stage.
    for (const { intendedUs, stage } of driven.starts.filter(({ step }) => step < 2)) {
      const place = [200, 500, 700, 1_000, 1_200, 1_500, 1_800].findIndex((endMs) => intendedUs < endMs * 1_000);
      expect({ intendedUs, stage }).toEqual({ intendedUs, stage: [4, 0, 5, 1, 6, 2, 3][place] });
    }
  });

  it('start anew after a rest, and if `continues` is false', async () => {
    for (const anew of [{ restSeconds: 0.1 }, { continues: false }]) {
      const server = await serve();
      const [first, second] = stepped.stages as [object, object];
      const load = { ...stepped, stages: [first, { ...second, ...anew }] } as PlanInput['load'];
      const driven = await drive({ targets: [server.url], load, plan: { journey, variables: { number: { kind: 'number' } } } });
      // `drive` runs only the first leg.
      expect(driven.steps[0]?.outcomes).toEqual({ ok: 4 });
    }
  });
});
