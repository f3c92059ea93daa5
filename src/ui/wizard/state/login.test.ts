import { expect, it } from 'vitest';
import { journeyLogsIn } from './login.ts';
import { samplePlan } from './testing/samples.ts';

it('journeyLogsIn: is true if a step submits a password', () => {
  const login = { name: 'login', method: 'POST' as const, path: '/login' };
  expect(journeyLogsIn(samplePlan())).toBe(false);
  expect(journeyLogsIn(samplePlan({ journey: [{ ...login, form: { q: 'search' } }] }))).toBe(false);
  expect(journeyLogsIn(samplePlan({ journey: [{ ...login, form: { username: 'ada', password: 'x' } }] }))).toBe(true);
  const form = { from: 'loginForm' as const, as: 'address', part: 'action' as const };
  expect(journeyLogsIn(samplePlan({ journey: [{ name: 'login page', path: '/login', captures: [form] }] }))).toBe(true);
  expect(journeyLogsIn(samplePlan({ journey: [{ ...login, json: { user: 'ada', password: 'x' } }] }))).toBe(true);
});
