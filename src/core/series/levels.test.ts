import { expect, it } from 'vitest';
import { type PlanInput, planSchema } from '#core/plan/schema/plan.ts';
import { applyLevel, levelName } from './levels.ts';

function makePlan(load: PlanInput['load']) {
  const journey = [{ name: 'start', gate: 'ten' }];
  return planSchema.parse({
    holdfast: 1,
    name: 'exam',
    targets: [{ url: 'http://127.0.0.1/' }],
    journey,
    bells: { ten: { atSeconds: 6 } },
    load,
  });
}

it('applyLevel: shares a number of people among all stages with counted arrivals or users', () => {
  const arrivals = makePlan({
    model: 'arrivals',
    stages: [
      { kind: 'count', arrivals: 100, seconds: 3, counted: false },
      { kind: 'count', arrivals: 20, seconds: 1 },
      { kind: 'constant', perSecond: 0, seconds: 5 },
    ],
  });
  expect(applyLevel(arrivals, { people: 61 })?.load.stages).toMatchObject([{ arrivals: 51 }, { arrivals: 10 }, { perSecond: 0 }]);
  const users = makePlan({
    model: 'users',
    stages: [
      { users: 50, seconds: 5 },
      { users: 100, seconds: 5 },
    ],
  });
  expect(applyLevel(users, { people: 10 })?.load.stages).toMatchObject([{ users: 5 }, { users: 10 }]);
  expect(applyLevel(makePlan({ model: 'connections', stages: [{ connections: 5, seconds: 9 }] }), { people: 10 })).toBeNull();
  expect([levelName({ people: 1 }), levelName({ people: 1_250 })]).toEqual(['1 person', '1,250 people']);
});
