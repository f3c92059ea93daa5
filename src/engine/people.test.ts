import { expect, it } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { httpServer } from '#workers/testing/servers.ts';
import { buildRunResult } from './testing/resultOf.ts';
import { buildJob, runLoad } from './testing/runLoad.ts';

const PUPILS = 24;
const ITEMS_EACH = 3;

const EXAM: Partial<PlanInput> = {
  threads: 2,
  journey: [
    { name: 'login', path: '/login/{{pupil}}', required: true },
    { name: 'start', path: '/start/{{pupil}}', gate: 'ten', required: true, reload: { most: 1, fromSeconds: 0, toSeconds: 0 } },
    { name: 'answer', method: 'POST', path: '/answer/{{pupil}}', required: true },
    { name: 'check', path: '/check/{{pupil}}', confirms: 'answer', checks: [{ kind: 'contains', text: 'stored' }] },
    { name: 'finish', path: '/finish/{{pupil}}', required: true },
  ],
  flow: ['login', 'start', { repeat: { from: ITEMS_EACH, to: ITEMS_EACH }, flow: ['answer'] }, 'check', 'finish'],
  variables: { pupil: { kind: 'number', from: 1 } },
  bells: { ten: { atSeconds: 0.5 } },
  people: { milestones: { 'logged in': 'login', started: 'start', 'handed in': 'finish' }, items: { steps: 'answer', each: ITEMS_EACH } },
  load: {
    model: 'arrivals',
    stages: [
      { kind: 'count', arrivals: PUPILS, seconds: 0.3 },
      { kind: 'constant', perSecond: 0, seconds: 0.9 },
    ],
  },
};

it("people: each person has exactly one outcome, which agrees with the server's requests, on two threads", async () => {
  const seen = new Map<string, number>();
  const server = await httpServer((request, response) => {
    const [, path = '', pupil = ''] = (request.url ?? '').split('/');
    const key = `${path} ${pupil}`;
    seen.set(key, (seen.get(key) ?? 0) + 1);
    const status =
      (path === 'login' && pupil === '3') || (path === 'finish' && pupil === '9')
        ? 403
        : path === 'start' && (pupil === '5' || (pupil === '6' && seen.get(key) === 1))
          ? 502
          : 200;
    if (path === 'answer' && pupil === '7' && seen.get(key) === ITEMS_EACH) request.socket.destroy();
    else response.writeHead(status).end(path === 'check' && pupil === '8' ? 'gone' : 'stored');
  });
  try {
    const job = buildJob([server.url], EXAM);
    const { people, bells } = buildRunResult(job, await runLoad(job));
    expect(people?.lines.map(({ label, people: count }) => [label, count])).toEqual([
      ['refused at “login” (403)', 1],
      ['refused at “finish” (403)', 1],
      ['gave up at “start” (502)', 1],
      ['gave up at “answer” (no response)', 1],
      ['handed in', PUPILS - 4],
    ]);
    expect(people?.milestones.map(({ reached }) => reached)).toEqual([PUPILS - 1, PUPILS - 2, PUPILS - 4]);
    const acknowledged = ITEMS_EACH * (PUPILS - 2) - 1;
    expect(people?.items).toMatchObject({ acknowledged, stored: acknowledged - ITEMS_EACH - 2, missing: ITEMS_EACH, by: 'readBack' });
    expect(people?.rows.map(({ person }) => person)).toEqual(Array.from({ length: PUPILS }, (_, index) => index + 1));
    for (const { person, acknowledged: count, reloads } of people?.rows ?? []) {
      expect(count, `pupil ${person}`).toBe((seen.get(`answer ${person}`) ?? 0) - (person === 7 ? 1 : 0));
      expect(reloads, `pupil ${person}`).toBe(Math.max(0, (seen.get(`start ${person}`) ?? 0) - 1));
    }
    // On a slow machine, some people come after the bell.
    expect(bells).toMatchObject([{ expected: PUPILS, absent: 1 }]);
    expect(bells?.[0]?.awayBecause).toEqual({ failed: 1, underWay: bells?.[0]?.late, generator: 0 });
  } finally {
    await server.close();
  }
});

it('people: those who are still waiting when a run is stopped count as waiting', async () => {
  const server = await httpServer((_, response) => response.end('stored'));
  try {
    const job = buildJob([server.url], {
      ...EXAM,
      bells: { ten: { atSeconds: 30 } },
      load: { model: 'users', stages: [{ users: 10, seconds: 40 }] },
    });
    const run = await runLoad(job, (window, engine) => {
      if (window.second === 0) engine.stop();
    });
    const { people } = buildRunResult(job, run);
    expect(people?.lines).toEqual([expect.objectContaining({ label: 'waiting for the bell', milestone: 'logged in', people: 10 })]);
  } finally {
    await server.close();
  }
});
