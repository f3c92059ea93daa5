import { expect, it } from 'vitest';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { planWith } from '#core/testing/plans.ts';
import { facts, healthyStep } from '../testing/facts.ts';
import { lengthVaries } from './responses.ts';

const step = healthyStep({ bodyLength: { first: 600, differs: 5_400, deviationBytes: -648_000, empty: 0 } });
const stated = (changes: Partial<PlanInput['journey'][number]>, of = step) =>
  lengthVaries.find(facts(of, { plan: planWith({ journey: [{ name: 'description', ...changes }] }) }));

it('lengthVaries: warns of responses that are far shorter than the first, if no check covers them', () => {
  expect(stated({})).toMatchObject([{ level: 'warning', confidence: 'possible' }]);
  expect(stated({ checks: [{ kind: 'size', minBytes: 100 }] })).toMatchObject([{ level: 'warning' }]);
  expect(stated({ captures: [{ from: 'body', as: 'seed', pattern: 'seed (.+)', mayBeEmpty: true }] })).toMatchObject([
    { level: 'warning' },
  ]);
});

it("lengthVaries: is a remark if all responses passed the plan's checks", () => {
  const [finding] = stated({ captures: [{ from: 'body', as: 'seed', pattern: 'seed (.+)' }] });
  expect(finding).toMatchObject({ level: 'info', remedy: expect.stringContaining('No action needed') });
  expect(finding?.sentence).toMatch(
    /^90 % of responses to “description” differ widely in length: on average they are 120 bytes shorter than the first\. All of them passed/,
  );
  expect(stated({ checks: [{ kind: 'contains', text: 'question' }] })).toMatchObject([{ level: 'info' }]);
  const lacking = { ...step, requests: { ...step.requests, ok: 5_990, wrongBody: 10 } };
  expect(stated({ checks: [{ kind: 'contains', text: 'question' }] }, lacking)).toMatchObject([{ level: 'warning' }]);
});

it('lengthVaries: ignores failures, pages with a changing number, and a failed first response', () => {
  const changing = { first: 6_844, differs: 54, deviationBytes: -13 * 6_824 - 41, empty: 0 };
  const some = healthyStep({ requests: { ...step.requests, sent: 414, ok: 401, httpError: 13 }, bodyLength: changing });
  expect(stated({}, some)).toEqual([]);
  const toError = { first: 24, differs: 12, deviationBytes: 12 * 6_820, empty: 0 };
  const few = healthyStep({ requests: { ...step.requests, sent: 16, ok: 12, httpError: 4 }, bodyLength: toError });
  expect(stated({}, few)).toEqual([]);
  const cut = { ...changing, deviationBytes: -54 * 3_000 };
  expect(stated({}, healthyStep({ requests: some.requests, bodyLength: cut }))).toMatchObject([{ level: 'warning' }]);
});
