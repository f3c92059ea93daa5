import { describe, expect, it } from 'vitest';
import type { LatencySummary } from '#core/statistics/latency.ts';
import type { MeasuredRun } from '../rule.ts';
import { CALM, facts, healthyStep, point } from '../testing/facts.ts';
import { idsOf, numberOf, findingsBy } from '../testing/found.ts';
import { retryAfter } from './times.ts';

/** Returns a run with successful responses from 100 ms on, and 500 failures with the given times. */
function run(fromMs: number, middleMs: number, toMs: number, others: Partial<LatencySummary> = {}): MeasuredRun {
  const base = facts();
  const good = { ...base.latency.service, count: 6_000, min: 100, p50: 250, p90: 390, p95: 400, max: 420, ...others };
  const bad = { ...good, count: 500, min: fromMs, p50: middleMs, p90: toMs, p95: toMs, max: toMs };
  const requests = { ...healthyStep().requests, sent: 6_500, httpError: 500 };
  const step = healthyStep({ requests, status: { '200': 6_000, '500': 500 }, latencyByStatusClass: { '2xx': good, '5xx': bad } });
  return { ...base, status: step.status, steps: [step], latencyByStatusClass: step.latencyByStatusClass };
}

it('triedAgain: counts the attempts if failures take a multiple of a successful response', () => {
  const given = run(380, 405, 440);
  const [finding] = findingsBy('triedAgain', given);
  expect(finding).toMatchObject({ level: 'problem', confidence: 'possible' });
  expect(numberOf(finding, 'Attempts')).toBe(4);
  expect(idsOf(given)).not.toContain('unexpectedStatus.500');
});

it.each([
  // Each row has the shortest success, the longest success, the failures and the attempts. It was measured at a server that retries up to
  // three times.
  [238, 821, 819, 4],
  [247, 898, 894, 4],
  [257, 976, 974, 4],
  [254, 820, 819, 4],
  [210, 560, 550, 3],
])('triedAgain: counts attempts although a success includes work done once: %i, %i, %i ms', (least, most, failed, attempts) => {
  const given = run(failed - 10, failed, failed + 5, { min: least, p50: most - 1, p90: most, p95: most, max: most + 60 });
  expect(numberOf(findingsBy('triedAgain', given)[0], 'Attempts')).toBe(attempts);
});

it('triedAgain: ignores quick failures, varying times, fractional attempts, and a long wait that ended', () => {
  for (const [from, middle, to] of [
    [4, 5, 9],
    [200, 400, 600],
    [340, 350, 360],
    [59_900, 60_000, 61_000],
  ] as const)
    expect(findingsBy('triedAgain', run(from, middle, to))).toEqual([]);
});

describe('thresholds of triedAgain', () => {
  const GOOD = { ...CALM, count: 5, min: 100, p90: 999 };
  interface Changes {
    readonly good?: Partial<LatencySummary>;
    readonly bad?: Partial<LatencySummary>;
    readonly status?: Readonly<Record<string, number>>;
  }
  function of({ good = {}, bad = {}, status = {} }: Changes = {}) {
    const { p50 = 400 } = bad;
    const own = typeof p50 === 'number' ? { min: 0.8 * p50, p90: 1.2 * p50 } : { min: 320, p90: 480 };
    const step = healthyStep({
      status: { '200': 495, '500': 2, '503': 3, ...status },
      latencyByStatusClass: { '2xx': { ...GOOD, ...good }, '5xx': { ...CALM, count: 5, p50, ...own, ...bad } },
    });
    const windows = [point(0, { status: { '500': 1 } }), point(1), point(2, { status: { '503': 1 } }), point(3, { status: {} })];
    return findingsBy('triedAgain', facts(step, { windows }))[0];
  }

  it('lead to a finding with the share of the failures and their time', () => {
    const finding = of();
    expect(finding?.sentence).toBe(
      '1 % of responses to “description” failed after 4 times the fastest success: the server probably tried 4 times before it failed.',
    );
    expect(of({ bad: { p50: 384 } })?.sentence).toContain('after 3.8 times');
    expect(finding?.evidence).toHaveLength(2);
    expect(finding?.figures?.map(({ value }) => value)).toEqual(['4', '5 of 500 responses (1 %)', '400 ms', '100 ms']);
    expect(finding?.range?.spans).toEqual([
      { fromSecond: 0, toSecond: 1 },
      { fromSecond: 2, toSecond: 3 },
    ]);
  });

  it.each<[string, Changes]>([
    ['fewer than five failures', { status: { '500': 1, '200': 100 }, bad: { count: 4 } }],
    ['less than 1 % failures', { status: { '200': 496 } }],
    ['other failures among them', { bad: { count: 6 } }],
    ['fewer than five successes', { good: { count: 4 } }],
    ['successes without work', { good: { min: 19 }, bad: { p50: 76 } }],
    ['a quicker failure', { bad: { min: 319 } }],
    ['slower failures', { bad: { p90: 481 } }],
    ['an unknown shortest failure', { bad: { min: 'never' } }],
    ['an unknown median', { bad: { p50: 'never' } }],
    ['an unknown longest failure', { bad: { p90: 'never' } }],
    ['an unknown fastest success', { good: { min: 'never' } }],
  ])('are not met by %s', (_name, changes) => {
    expect(of(changes)).toBeUndefined();
  });

  it('require a success of 20 ms, and both kinds of responses', () => {
    expect(of({ good: { min: 20 }, bad: { p50: 80 } })).toBeDefined();
    for (const one of ['2xx', '5xx']) {
      const step = healthyStep({ status: { '200': 5, '500': 5 }, latencyByStatusClass: { [one]: { ...GOOD, p50: 400, p90: 400 } } });
      expect(findingsBy('triedAgain', facts(step))).toEqual([]);
    }
  });

  it.each([
    [225, null],
    [274, null],
    [275, '3'],
    [374, null],
    [375, '4'],
    [425, '4'],
    [426, null],
    [500, '5'],
    [600, null],
  ])('require a multiple within 25 %: %d ms', (p50, attempts) => {
    expect(of({ bad: { p50 } })?.figures?.[0]?.value ?? null).toBe(attempts);
  });

  it.each<[number, LatencySummary['p90'], string | null]>([
    [350, 340, '4'],
    [350, 330, null],
    [350, 'never', null],
    [320, 320, '4'],
    [319, 319, null],
    [190, 190, null],
    [500, 500, '5'],
    [520, 520, null],
  ])('round up if some successes took as long: %d ms beside %s', (p50, p90, attempts) => {
    expect(of({ good: { p90 }, bad: { p50 } })?.figures?.[0]?.value ?? null).toBe(attempts);
  });
});

it('retryAfter: returns the component that retries after a given time, within 0.12 s', () => {
  expect([880, 1_100, 3_000, 14_900].map((ms) => retryAfter(ms)?.seconds)).toEqual([1, 1, 3, 15]);
  expect([879, 1_121, 2_000].map(retryAfter)).toEqual([null, null, null]);
});
