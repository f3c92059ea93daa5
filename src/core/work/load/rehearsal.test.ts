import { expect, it } from 'vitest';
import { checkPlan } from '#core/review/check.ts';
import { arrivals, planWith, users } from '#core/testing/plans.ts';
import { planRehearsal } from './rehearsal.ts';

const JOURNEY = [
  { name: 'login', path: '/login', required: true },
  { name: 'start', path: '/start', gate: 'begin' },
  { name: 'hand in', path: '/end', gate: 'end' },
];
const BELLS = { begin: { atSeconds: 600 }, end: { atSeconds: 900, late: 'leave' as const } };

it('planRehearsal: three people wait for each bell, in far less time', () => {
  const load = arrivals([
    { kind: 'count', name: 'login', arrivals: 120, seconds: 540 },
    { kind: 'constant', perSecond: 0, seconds: 400 },
  ]);
  const criteria = [
    { kind: 'errors' as const, maxShare: 0.01 },
    { kind: 'errors' as const, maxShare: 0.1, stage: 'login' },
  ];
  const plan = planRehearsal(planWith({ name: 'Exam', journey: JOURNEY, bells: BELLS, load, criteria }));
  expect(plan).toMatchObject({
    name: 'Exam: rehearsal with 3 people',
    bells: { begin: { atSeconds: 8, late: 'continue' }, end: { atSeconds: 28, late: 'leave' } },
    load: {
      stages: [
        { kind: 'count', arrivals: 3, seconds: 3 },
        { kind: 'constant', perSecond: 0, seconds: 45 },
      ],
    },
    criteria: [{ kind: 'errors', maxShare: 0.01 }],
  });
  expect(checkPlan(plan).filter(({ level }) => level === 'error')).toEqual([]);
});

it('planRehearsal: keeps early bells, and users as users', () => {
  const bells = { begin: { atSeconds: 2 }, end: { atSeconds: 4 } };
  const plan = planRehearsal(planWith({ journey: JOURNEY, bells, load: users([{ users: 50, seconds: 10 }]) }));
  expect(plan).toMatchObject({
    bells: { begin: { atSeconds: 2 }, end: { atSeconds: 4 } },
    load: { model: 'users', stages: [{ users: 3, seconds: 24 }] },
  });
  expect(checkPlan(plan).filter(({ level }) => level === 'error')).toEqual([]);
});
