import { expect, it } from 'vitest';
import type { LatencySummary } from '#core/statistics/latencySummary.ts';
import type { MeasuredRun } from '../rule.ts';
import { facts, healthyStep } from '../testing/facts.ts';
import { idsOf, numberOf, saidBy } from '../testing/found.ts';

/** Good answers from 100 ms on, and 500 failures that took so long. */
function run(fromMs: number, middleMs: number, toMs: number, others: Partial<LatencySummary> = {}): MeasuredRun {
  const base = facts();
  const good = { ...base.latency.service, count: 6_000, min: 100, p50: 250, p90: 390, p95: 400, max: 420, ...others };
  const bad = { ...good, count: 500, min: fromMs, p50: middleMs, p90: toMs, p95: toMs, max: toMs };
  const requests = { ...healthyStep().requests, sent: 6_500, httpError: 500 };
  const step = healthyStep({ requests, status: { '200': 6_000, '500': 500 }, latencyByStatusClass: { '2xx': good, '5xx': bad } });
  return { ...base, status: step.status, steps: [step], latencyByStatusClass: step.latencyByStatusClass };
}

it('counts the attempts of failures that took so many times as long as a good answer', () => {
  const given = run(380, 405, 440);
  const [finding] = saidBy('triedAgain', given);
  expect(finding).toMatchObject({ level: 'problem', confidence: 'possible' });
  expect(numberOf(finding, 'Attempts')).toBe(4);
  expect(idsOf(given)).not.toContain('unexpectedStatus.500');
});

it.each([
  // Shortest good answer, most good answers, failures: as servers that try up to three times again were seen to take.
  [238, 821, 819, 4],
  [247, 898, 894, 4],
  [257, 976, 974, 4],
  [254, 820, 819, 4],
  [210, 560, 550, 3],
])('counts them also where a good answer does more than a try again: %i, %i, %i ms', (least, most, failed, attempts) => {
  const given = run(failed - 10, failed, failed + 5, { min: least, p50: most - 1, p90: most, p95: most, max: most + 60 });
  expect(numberOf(saidBy('triedAgain', given)[0], 'Attempts')).toBe(attempts);
});

it('says nothing of quick failures, of those that take any time, of a part of an attempt, and of a long wait that ended', () => {
  for (const [from, middle, to] of [
    [4, 5, 9],
    [200, 400, 600],
    [340, 350, 360],
    [59_900, 60_000, 61_000],
  ] as const)
    expect(saidBy('triedAgain', run(from, middle, to))).toEqual([]);
});
