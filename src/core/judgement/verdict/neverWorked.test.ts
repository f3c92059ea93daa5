import { describe, expect, it } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { planWith, stages } from '#core/testing/plans.ts';
import { windowWith, type WindowFacts } from '#core/testing/windows.ts';
import { judged } from './testing/judged.ts';

const home = { name: 'home' };
const login: PlanInput['journey'][number] = { name: 'login', method: 'POST', path: 'login', redirects: { follow: true } };
const onHome: PlanInput['criteria'] = [{ kind: 'responseTime', step: 'home', percentile: 95, maxMs: 1_000 }];
const fast: WindowFacts = { ok: [{ count: 300, ms: 40 }] };

function judgePlan(journey: PlanInput['journey'], facts: readonly WindowFacts[], criteria = onHome) {
  const plan = planWith({ journey, load: stages({ connections: 10, seconds: 1 }), criteria: criteria ?? [] });
  return judged({ plan, windows: facts.map((each) => windowWith(each)) }).verdict;
}

describe('a step without a successful response', () => {
  it('fails a run whose criteria passed', () => {
    const { outcome, sentence, reasons, next } = judgePlan([home, login], [fast, { step: 1, failed: { wrongBody: 300 } }]);
    expect(outcome).toBe('failed');
    expect(sentence).toBe('Failed at 10 connections: none of 300 requests of “login” succeeded.');
    expect(reasons.map(({ code }) => code)).toContain('step.neverWorked');
    expect(next.map(({ kind }) => kind)).toEqual(['tryOnce', 'runAgain']);
  });

  it('may be the redirects of a step', () => {
    const { sentence } = judgePlan([home, login], [fast, { ...fast, step: 1 }, { step: 2, failed: { wrongBody: 1 } }]);
    expect(sentence).toBe('Failed at 10 connections: the only request of “login › redirects” did not succeed.');
  });

  it('is ignored if the step succeeded once, was never sent, or is a side call', () => {
    expect(judgePlan([home, login], [fast, { step: 1, ok: [{ count: 299, ms: 9 }], failed: { wrongBody: 2 } }]).outcome).toBe('passed');
    expect(judgePlan([home, login], [fast]).outcome).toBe('passed');
    expect(judgePlan([home, { ...login, measured: false }], [fast, { step: 1, failed: { refused: 3 } }]).outcome).toBe('passed');
  });

  it('does not replace a failed criterion, and leaves a run without criteria measured', () => {
    const failed: WindowFacts = { step: 1, failed: { httpError: 300 } };
    expect(judgePlan([home, login], [fast, failed], [{ kind: 'errors', maxShare: 0.01 }]).outcome).toBe('failed');
    expect(judgePlan([home, login], [fast, failed], []).outcome).toBe('measured');
  });
});

describe('a step whose page is unavailable', () => {
  const statement = { name: 'statement', path: 'statements/en' };
  const missed = (count: number, missing: number): WindowFacts => ({ step: 1, failed: { httpError: count }, statuses: { 404: missing } });
  const onAll: PlanInput['criteria'] = [{ kind: 'errors', maxShare: 0.01 }];

  it('fails with the reason', () => {
    const { outcome, sentence, next } = judgePlan([home, statement], [fast, missed(84, 84)], onAll);
    expect(outcome).toBe('failed');
    expect(sentence).toBe(
      'Failed at 10 connections: all 84 requests of “statement” got 404, so the plan requests a page that does not exist.',
    );
    expect(next.map(({ kind }) => kind)).toEqual(['tryOnce', 'runAgain']);
  });

  it.each([
    ['302', 'got a redirect, so the plan requests a page that has moved or needs a login'],
    ['401', 'got 401 or 403, so the plan requests a page that needs a login or other permissions'],
    ['403', 'got 401 or 403, so the plan requests a page that needs a login or other permissions'],
  ])('has every response with status %s', (status, words) => {
    const led: WindowFacts = { step: 1, failed: { httpError: 84 }, statuses: { [status]: 84 } };
    expect(judgePlan([home, statement], [fast, led], onAll).sentence).toBe(
      `Failed at 10 connections: all 84 requests of “statement” ${words}.`,
    );
    const handedIn = { ...statement, method: 'POST' as const };
    expect(judgePlan([home, handedIn], [fast, led], onAll).sentence).not.toContain(words);
    const expected = { ...statement, expectStatus: [Number(status)] };
    expect(judgePlan([home, expected], [fast, led], onAll).sentence).not.toContain(words);
  });

  it('is reported with the number of responses that show it', () => {
    const saying = (sent: number, statuses: Readonly<Record<string, number>>): string =>
      judgePlan([home, statement], [fast, { step: 1, failed: { httpError: sent }, statuses }], onAll).sentence;
    expect(saying(84, { 404: 80, 500: 4 })).toContain(': 80 of 84 requests of “statement” got 404, so');
    expect(saying(1, { 404: 1 })).toContain(': the only request of “statement” got 404, so');
    expect(saying(1, { 401: 1 })).toContain(': the only request of “statement” got 401 or 403, so');
  });

  it('does not replace the violation of another step, and requires that the page never succeeded, failed only in this way and was not expected to fail', () => {
    const failing: WindowFacts = { failed: { httpError: 300 } };
    expect(judgePlan([home, statement], [failing, missed(84, 84)], onAll).outcome).toBe('failed');
    const once: WindowFacts = { ...missed(299, 299), ok: [{ count: 1, ms: 9 }] };
    expect(judgePlan([home, statement], [fast, once], onAll).outcome).toBe('failed');
    expect(judgePlan([home, statement], [fast, missed(84, 40)], onAll).outcome).toBe('failed');
    expect(judgePlan([home, { ...statement, expectStatus: [404] }], [fast, missed(84, 84)], onAll).outcome).toBe('failed');
  });
});
