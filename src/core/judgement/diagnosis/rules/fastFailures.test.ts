import { expect, it } from 'vitest';
import { planWith, stages } from '#core/testing/plans.ts';
import { idsOf, numberOf, played, findingsBy } from '../testing/found.ts';

const plan = planWith({ load: stages({ connections: 5, seconds: 30 }) });
const run = (refuses: (n: number) => number | null, serviceMs = 400, page = plan) =>
  played(page, { workers: Infinity, serviceMs: () => serviceMs, refuses });

it('fastFailures: compares the times of successful responses with the total', () => {
  const [finding] = findingsBy(
    'fastFailures',
    run((n) => (n % 3 > 0 ? 500 : null)),
  );
  expect(finding).toMatchObject({ level: 'warning', confidence: 'certain', sentence: expect.stringContaining('faster than it is') });
  expect(finding?.figures?.some(({ what, value }) => what.includes('successful responses within') && value.startsWith('400'))).toBe(true);
  expect(numberOf(finding, 'Median of responses with 5xx')).toBeLessThan(5);
});

it('fastFailures: replaces only the finding about the mean of its own step', () => {
  const given = run((n) => (n % 3 > 0 ? 500 : null));
  const [step] = given.steps;
  if (step === undefined) throw new Error('no step');
  const { service } = step.latency;
  const skewed = { ...step, latency: { ...step.latency, service: { ...service, mean: 400, p50: 2, p90: 390 } } };
  const other = { ...skewed, name: 'report', requests: { ...step.requests, httpError: 0 }, status: { '200': step.requests.ok } };
  const found = idsOf({ ...given, steps: [skewed, other] });
  expect(found.filter((id) => id.startsWith('averageHides'))).toEqual(['averageHides.report']);
});

it('fastFailures: ignores few failures, slow ones, and those as quick as the page', () => {
  expect(
    findingsBy(
      'fastFailures',
      run((n) => (n % 500 === 0 ? 500 : null)),
    ),
  ).toEqual([]);
  expect(
    findingsBy(
      'fastFailures',
      run((n) => (n % 3 > 0 ? 500 : null), 2, planWith({ load: stages({ connections: 5, seconds: 2 }) })),
    ),
  ).toEqual([]);
  expect(
    findingsBy(
      'fastFailures',
      run(() => null),
    ),
  ).toEqual([]);
});
