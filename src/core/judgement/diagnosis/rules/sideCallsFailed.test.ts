import { expect, it } from 'vitest';
import { emptyRequestOutcomes } from '#core/measurement/requestOutcomes.ts';
import type { MeasuredRun } from '../rule.ts';
import { facts, healthyStep } from '../testing/facts.ts';
import { diagnose } from '../diagnose.ts';

type SideCall = NonNullable<MeasuredRun['sideCalls']>[number];

const found = (requests: Partial<SideCall['requests']>, errors: SideCall['errors']) =>
  diagnose(facts(healthyStep(), { sideCalls: [{ name: 'token', requests: { ...emptyRequestOutcomes(), ...requests }, errors }] }));

it('sideCallsFailed: names the failures and the outstanding requests', () => {
  const [finding, ...others] = found({ sent: 10, ok: 6, timeout: 1, notMade: 2, inFlight: 3 }, { 'TIMEOUT@firstByte': 1 });
  expect(others).toEqual([]);
  expect(finding).toMatchObject({ id: 'sideCallsFailed.token', level: 'problem' });
  expect(finding?.sentence).toBe('6 of 10 side calls of “token” failed, and each journey that needed one ended there.');
  expect(finding?.evidence).toEqual(['no response in time (TIMEOUT while waiting for the response): 1', 'no response: 3']);
});

it("sideCallsFailed: reports the site's own reason, the most frequent first", () => {
  const says = { 'SAYS_WHY the contest is over@check': 1, 'SAYS_WHY it is full@check': 3 };
  const [finding, ...others] = found({ sent: 10, ok: 6, wrongBody: 4 }, says);
  expect(others).toEqual([]);
  expect(finding).toMatchObject({ id: 'siteSaysWhy.token', level: 'problem' });
  expect(finding?.sentence).toBe('4 times the site itself gave the reason for a failure: it is full');
  expect(finding?.evidence).toEqual(['the site says: the contest is over: 1', 'the site says: it is full: 3']);
  expect(found({ sent: 1, wrongBody: 1 }, { 'SAYS_WHY it is full@check': 1 })[0]?.sentence).toMatch(/^1 time the site/);
});

it('sideCallsFailed: reports failures with a reason from the site beside failures without one', () => {
  const both = found({ sent: 10, ok: 6, wrongBody: 2, refused: 2 }, { 'SAYS_WHY full@check': 2, 'ECONNREFUSED@connect': 2 });
  expect(both.map(({ id, evidence }) => [id, evidence])).toEqual([
    ['siteSaysWhy.token', ['the site says: full: 2']],
    ['sideCallsFailed.token', ['connection refused (ECONNREFUSED): 2']],
  ]);
});

it('sideCallsFailed: reports separate findings for each side call', () => {
  const requests = { ...emptyRequestOutcomes(), sent: 10, ok: 6, wrongBody: 2, refused: 2 };
  const errors = { 'SAYS_WHY full@check': 2, 'ECONNREFUSED@connect': 2 };
  const sideCalls = ['token', 'language'].map((name) => ({ name, requests, errors }));
  const ids = diagnose(facts(healthyStep(), { sideCalls })).map(({ id }) => id);
  expect(ids).toEqual(['siteSaysWhy.token', 'sideCallsFailed.token', 'siteSaysWhy.language', 'sideCallsFailed.language']);
});

it('sideCallsFailed: is absent if all succeeded, and without side calls', () => {
  expect(found({ sent: 10, ok: 10 }, {})).toEqual([]);
  expect(diagnose(facts())).toEqual([]);
});
