import { expect, it } from 'vitest';
import type { Probe } from '#contract/replies.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import { isAbout } from './FirstLook.tsx';

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

it('is about the page that the plan asks for, and not about the empty root of an API', () => {
  expect(isAbout(planWith({}), probe)).toBe(true);
  expect(isAbout(planWith({ path: '/' }), probe)).toBe(true);
  expect(isAbout(planWith({ path: '/api/people' }), probe)).toBe(false);
  expect(isAbout(planWith({ method: 'POST' }), probe)).toBe(false);
});

it('tells of a redirect to https whatever page the plan asks for, and of no other redirect', () => {
  const to = (location: string): Probe => ({ ...probe, status: 301, redirect: { location, looksLikeLogin: false } });
  const api = planWith({ path: '/api/people' });
  expect(isAbout(api, to('https://127.0.0.1/'))).toBe(true);
  expect(isAbout(api, to('http://127.0.0.1/start'))).toBe(false);
  expect(isAbout(api, to('https://elsewhere.example/'))).toBe(false);
});

it('never withholds that somebody has to log in, or that a certificate is in the way', () => {
  const api = planWith({ path: '/api/people' });
  expect(isAbout(api, { ...probe, notes: [{ level: 'problem', text: 'Log in.', asksLogin: true }] })).toBe(true);
  const certificate = { valid: false, subject: '', issuer: '', validUntil: '', problem: 'self-signed' };
  expect(isAbout(api, { ...probe, certificate })).toBe(true);
  expect(isAbout(api, { ...probe, status: 200, statusText: 'OK' })).toBe(true);
});
