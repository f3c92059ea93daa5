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

it.each(['/register', '/signup', '/user/registration', '/api/users', '/api/v1/accounts/'])(
  'storesValue: a POST of a password to %s stores an account',
  (path) => {
    const plan = planWith({ journey: [{ name: 'send', method: 'POST', path, json: { email: 'a@example.org', password: 'x' } }] });
    expect(plan.journey.map((step) => storesValue(step, plan))).toEqual([true]);
  },
);

it.each([
  ['a password', { user: 'anna', password: 'x' }, false],
  ['a password beside a token', { user: 'anna', password: 'x', csrf_token: 'y' }, false],
  ['an empty password of an edited account', { name: 'Anna', 'value[password]': '', 'value[password2]': '' }, true],
  ['a new password twice', { name: 'anna', password: 'x', password_confirmation: 'x' }, true],
  ['a mail address and a password', { 'user[email]': 'a@example.org', 'user[password]': 'x' }, false],
  ['a user name, a mail address and a password', { username: 'anna', email: 'a@example.org', password: 'x' }, true],
  ['the name of a person and a password', { first_name: 'Anna', login: 'anna', password: 'x' }, true],
  ['an old and a new password', { old_password: 'x', new_password1: 'y', new_password2: 'y' }, true],
])('storesValue: decides for a form with %s, in every encoding', (_, fields, stores) => {
  const steps = [{ form: fields }, { json: fields }, { multipart: Object.entries(fields).map(([name, value]) => ({ name, value })) }];
  const plan = planWith({ journey: steps.map((step, index) => ({ name: `send ${index}`, method: 'POST', path: '/account', ...step })) });
  expect(plan.journey.map((step) => storesValue(step, plan))).toEqual([stores, stores, stores]);
});
