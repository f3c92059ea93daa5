import { expect, it } from 'vitest';
import type { Probe } from '#contract/replies.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import { isOfPlan } from './FirstLook.tsx';

const planWith = (step: object) =>
  planSchema.parse({
    holdfast: 1,
    name: 'test',
    targets: [{ url: 'http://127.0.0.1/' }],
    journey: [{ name: 'step', ...step }],
    load: { model: 'connections', stages: [{ connections: 1, seconds: 1 }] },
  });

const probe: Probe = {
  url: 'http://127.0.0.1/',
  status: 404,
  statusText: 'Not Found',
  bodyBytes: 0,
  totalMs: 1,
  connectMs: 1,
  firstByteMs: 1,
  httpVersion: '1.1',
  keepAlive: true,
  server: null,
  contentType: null,
  address: null,
  redirect: null,
  hasLoginForm: false,
  links: [],
  certificate: null,
  notes: [{ level: 'problem', text: 'You would measure the error page.' }],
  problem: null,
};

it('isOfPlan: is true for the page of the plan, and false for a failed request to the root of an API', () => {
  expect(isOfPlan(planWith({}), probe)).toBe(true);
  expect(isOfPlan(planWith({ path: '/' }), probe)).toBe(true);
  expect(isOfPlan(planWith({ path: '/api/people' }), probe)).toBe(false);
  expect(isOfPlan(planWith({ method: 'POST' }), probe)).toBe(false);
});

it('isOfPlan: is true for a redirect to https with any plan, and false for other redirects', () => {
  const probeRedirectedTo = (location: string): Probe => ({ ...probe, status: 301, redirect: { location, looksLikeLogin: false } });
  const api = planWith({ path: '/api/people' });
  expect(isOfPlan(api, probeRedirectedTo('https://127.0.0.1/'))).toBe(true);
  expect(isOfPlan(api, probeRedirectedTo('http://127.0.0.1/start'))).toBe(false);
  expect(isOfPlan(api, probeRedirectedTo('https://elsewhere.example/'))).toBe(false);
});

it('isOfPlan: is always true for a required login or an invalid certificate', () => {
  const api = planWith({ path: '/api/people' });
  expect(isOfPlan(api, { ...probe, notes: [{ level: 'problem', text: 'Log in.', asksLogin: true }] })).toBe(true);
  const certificate = { valid: false, subject: '', issuer: '', validUntil: '', problem: 'self-signed' };
  expect(isOfPlan(api, { ...probe, certificate })).toBe(true);
  expect(isOfPlan(api, { ...probe, status: 200, statusText: 'OK' })).toBe(true);
});
