import { expect, it } from 'vitest';
import { planWith, stages } from '#core/testing/plans.ts';
import { numberOf, played, saidBy } from '../testing/found.ts';

const plan = planWith({ load: stages({ connections: 5, seconds: 30 }) });
const run = (refuses: (n: number) => number | null, serviceMs = 400, page = plan) =>
  played(page, { workers: Infinity, serviceMs: () => serviceMs, refuses });

it('tells what the good answers took beside what all together seem to take', () => {
  const [finding] = saidBy(
    'fastFailures',
    run((n) => (n % 3 > 0 ? 500 : null)),
  );
  expect(finding).toMatchObject({ level: 'warning', confidence: 'certain', sentence: expect.stringContaining('quicker than it is') });
  expect(finding?.figures?.some(({ what, value }) => what.includes('good answers within') && value.startsWith('400'))).toBe(true);
  expect(numberOf(finding, 'Half of the answers with 5xx within')).toBeLessThan(5);
});

it('says nothing of few failures, of slow ones, and of failures as quick as the page', () => {
  expect(
    saidBy(
      'fastFailures',
      run((n) => (n % 500 === 0 ? 500 : null)),
    ),
  ).toEqual([]);
  expect(
    saidBy(
      'fastFailures',
      run((n) => (n % 3 > 0 ? 500 : null), 2, planWith({ load: stages({ connections: 5, seconds: 2 }) })),
    ),
  ).toEqual([]);
  expect(
    saidBy(
      'fastFailures',
      run(() => null),
    ),
  ).toEqual([]);
});
