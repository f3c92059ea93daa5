import { expect, it } from 'vitest';
import { planWith } from '#core/testing/plans.ts';
import { storesValue } from './storing.ts';

it.each([
  ['/api/login', false],
  ['/log_out', false],
  ['/users/sign-in', false],
  ['/oauth/token', false],
  ['/j_login.do', false],
  ['/blogindex', true],
  ['/signings', true],
  ['/signup', true],
  ['/tokens/new', true],
  ['/orders', true],
])('storesValue: a POST to %s stores something: %s', (path, stores) => {
  const plan = planWith({ journey: [{ name: 'send', method: 'POST', path, json: { user: 'anna' } }] });
  expect(plan.journey.map((step) => storesValue(step, plan))).toEqual([stores]);
});
