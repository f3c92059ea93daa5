import { expect, it } from 'vitest';
import { type PlanInput, planSchema } from '#core/plan/schema/plan.ts';
import { checkPeople } from './people.ts';

const JOURNEY: PlanInput['journey'] = [
  { name: 'login' },
  { name: 'answer', method: 'POST' },
  { name: 'list', confirms: 'answer' },
  { name: 'news', background: { everySeconds: 5 } },
];

function listCodes(plan: Partial<PlanInput>): string[] {
  const load: PlanInput['load'] = { model: 'users', stages: [{ users: 5, seconds: 10 }] };
  const whole = planSchema.parse({ holdfast: 1, name: 'exam', targets: [{ url: 'http://127.0.0.1/' }], journey: JOURNEY, load, ...plan });
  return checkPeople(whole).map(({ code, path }) => `${code} ${path}`);
}

it('people: milestones and items must be steps of the journey', () => {
  expect(listCodes({ people: { milestones: { 'logged in': 'login' }, items: { steps: 'answer', each: 5 } } })).toEqual([]);
  expect(listCodes({ people: { milestones: { 'logged in': 'logn', seen: 'news' }, items: { steps: ['gone'] } } })).toEqual([
    'UNKNOWN_STEP people.milestones.logged in',
    'UNKNOWN_STEP people.milestones.seen',
    'UNKNOWN_STEP people.items.steps[0]',
    'PEOPLE_NOT_COMPARED people.items',
  ]);
});

it('people: cannot be counted with fixed connections or with stages that begin anew', () => {
  const people = { milestones: { in: 'login' } };
  expect(listCodes({ people, load: { model: 'connections', stages: [{ connections: 1, seconds: 1 }] } })).toEqual([
    'PEOPLE_WITHOUT_USERS people',
  ]);
  const stages = [
    { users: 5, seconds: 10 },
    { users: 5, seconds: 10, restSeconds: 5 },
  ];
  expect(listCodes({ people, load: { model: 'users', stages } })).toEqual(['PEOPLE_WITH_BREAKS load.stages']);
});
