import { expect, it } from 'vitest';
import { planSchema } from '#core/plan/schema/plan.ts';
import { checkPlan } from '#core/review/check.ts';
import { rehearsalPlan } from './rehearsal.ts';

it.each([
  [
    {
      model: 'arrivals',
      stages: [
        { kind: 'count', arrivals: 120, seconds: 540 },
        { kind: 'constant', perSecond: 0, seconds: 4_000 },
      ],
    } as const,
  ],
  [{ model: 'users', thinkTime: { kind: 'fixed', seconds: 60 }, stages: [{ users: 120, startUpSeconds: 540, seconds: 4_000 }] } as const],
])('rehearsalPlan: few people go through all bells in order, without pauses: %j', (load) => {
  const plan = planSchema.parse({
    holdfast: 1,
    name: 'exam',
    targets: [{ url: 'http://127.0.0.1/' }],
    journey: [
      { name: 'start', gate: 'start', thinkTime: { kind: 'fixed', seconds: 600 } },
      { name: 'end', gate: 'end' },
    ],
    bells: { end: { atSeconds: 4_200 }, start: { atSeconds: 600, late: 'leave' } },
    criteria: [{ kind: 'errors', maxShare: 0.01 }],
    load: structuredClone(load) as never,
  });
  const rehearsed = rehearsalPlan(plan, 3);
  expect(checkPlan(rehearsed).filter(({ level }) => level === 'error')).toEqual([]);
  expect(rehearsed.bells).toEqual({ start: { atSeconds: 10, late: 'leave' }, end: { atSeconds: 25, late: 'continue' } });
  expect(rehearsed.journey.every(({ thinkTime }) => thinkTime === undefined)).toBe(true);
  expect(planSchema.parse(rehearsed).criteria).toEqual([]);
});
