import { expect, it } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { drive } from '#workers/testing/drive.ts';
import { serve } from './testing/serve.ts';

it('users go on from one stage to the next with their cookies, and the rush in which they came counts', async () => {
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
  // Who was on a journey when the rush began went on with it.
  expect([started(0, 2), started(1, 2), started(2, 1) <= 3]).toEqual([0, 0, true]);
  expect(cells.every(({ stage }) => stage < 3)).toBe(true);
});
