import { describe, expect, it } from 'vitest';
import type { LatencySummary } from '#core/statistics/latency.ts';
import type { MeasuredRun } from '../rule.ts';
import { CALM, facts, healthyStep, point } from '../testing/facts.ts';
import { idsOf, numberOf, findingsBy } from '../testing/found.ts';

/**
 * Returns a run of 40 s in which 50 responses with the given status took the given time. The other responses succeeded, or there were none.
 */
function run(statuses: Readonly<Record<string, number>>, fromMs: number, toMs: number, ok = 50): MeasuredRun {
  const base = facts();
  const calm = base.latency.service;
  const count = Object.values(statuses).reduce((sum, responses) => sum + responses, 0);
  const middle = (fromMs + toMs) / 2;
  return {
    ...base,
    status: { ...base.status, ...statuses },
    latencyByStatusClass: {
      ...base.latencyByStatusClass,
      '5xx': { ...calm, count, min: fromMs, p50: middle, p90: toMs, p95: toMs, max: toMs },
    },
    windows: Array.from({ length: 40 }, (_, second) =>
      point(second, { ok, failed: 2, status: { '200': ok, ...(second > 4 ? statuses : {}) } }),
    ),
  };
}

it('workerTimeout: finds the limit of aborted workers', () => {
  const given = run({ '500': 50 }, 5_010, 5_990);
  const [finding] = findingsBy('workerTimeout', given);
  expect(finding).toMatchObject({ level: 'problem', confidence: 'possible' });
  expect(numberOf(finding, 'Worker time-out')).toBe(5);
  expect(idsOf(given)).not.toContain('unexpectedStatus.500');
});

it.each([
  ['1 s', 1_200, 1_300],
  ['3 to 4 s', 4_300, 5_100],
  ['30 s', 31_020, 32_000],
  ['30 s', 30_010, 30_900],
])('workerTimeout: finds the limit of %s of workers killed after %i to %i ms', (limit, fromMs, toMs) => {
  const [finding] = findingsBy('workerTimeout', run({ '502': 50 }, fromMs, toMs));
  expect(finding?.figures).toContainEqual({ what: 'Worker time-out', value: limit });
  expect(finding?.sentence).toContain(`after ${limit} (502)`);
});

it('workerTimeout: ignores quick failures, varying times, and failures without successes during the same time', () => {
  expect(findingsBy('workerTimeout', run({ '502': 50 }, 1, 40))).toEqual([]);
  expect(findingsBy('workerTimeout', run({ '500': 50 }, 5_000, 9_000))).toEqual([]);
  expect(findingsBy('workerTimeout', run({ '500': 50, '503': 50 }, 5_010, 5_900))).toEqual([]);
  expect(findingsBy('workerTimeout', run({ '500': 50 }, 60_010, 60_900, 0))).toEqual([]);
});

it('workerTimeout: ignores a standstill in which all requests waited', () => {
  const given = run({ '500': 5 }, 10_050, 10_300);
  const windows = Array.from({ length: 11 }, (_, second) =>
    second < 10
      ? point(second, { completed: 0, ok: 0, inFlight: 15, p50: null, p90: null, p99: null, max: null })
      : point(second, { ok: 10, failed: 5, status: { '200': 10, '500': 5 } }),
  );
  expect(findingsBy('workerTimeout', { ...given, windows, status: { '200': 10, '500': 5 } })).toEqual([]);
});

describe('thresholds of workerTimeout', () => {
  interface Changes {
    readonly status?: Readonly<Record<string, number>>;
    readonly times?: Partial<LatencySummary>;
    readonly good?: (second: number) => number;
  }
  /**
   * Returns the finding for five requests that fail in seconds 20 and 22, after 30 s plus at most one. Half of the seconds of their wait
   * have successes.
   */
  function of({ status = { '500': 5 }, times = {}, good = (second) => second % 2 }: Changes = {}) {
    const windows = Array.from({ length: 30 }, (_unused, second) =>
      point(second, { ok: good(second), status: second === 16 ? { '500': 1 } : second === 17 ? { '502': 1 } : {} }),
    );
    const latencyByStatusClass = { '5xx': { ...CALM, min: 5_970, p50: 6_500, max: 7_400, ...times } };
    return findingsBy('workerTimeout', facts(healthyStep({ status: { '200': 4_995, ...status }, latencyByStatusClass }), { windows }))[0];
  }

  it('lead to a finding with the share and the times', () => {
    const finding = of();
    expect(finding?.sentence).toMatch(/^0\.1 % of responses failed after 6 s \(500\) while others succeeded/);
    expect(finding?.evidence).toEqual([expect.stringMatching(/between 5\.97 s and 7\.4 s.* gunicorn’s\.$/), expect.anything()]);
    expect(finding?.figures?.map(({ value }) => value)).toEqual(['6 s', '5 of 5,000 responses (0.1 %)', '5.97 s, 6.5 s, 7.4 s']);
    expect(finding).toMatchObject({ confidence: 'possible', range: { fromSecond: 16, toSecond: 18 } });
    expect(of({ times: { min: 30_000, p50: 30_500, max: 31_000 }, good: () => 1 })?.evidence[0]).toContain('Its default is 30 s');
  });

  it('give two possible limits if only the proxy sent the failures', () => {
    expect(of({ status: { '502': 5 }, times: { max: 8_400 } })).toMatchObject({ confidence: 'likely' });
    expect(of({ status: { '502': 5 }, times: { max: 8_401 } })).toBeUndefined();
    expect(of({ status: { '500': 2, '502': 3 } })?.sentence).toContain('after 6 s (500 and 502)');
    expect(of({ status: { '502': 5 }, times: { min: 10_000, p50: 10_100, max: 10_200 }, good: () => 1 })?.sentence).toContain(
      'after 10 s (502)',
    );
  });

  it.each<[string, Changes]>([
    ['four', { status: { '500': 4, '200': 100 } }],
    ['less than 0.1 %', { status: { '200': 4_996, '500': 5 } }],
    ['other failures among them', { status: { '500': 5, '503': 1 } }],
    ['some earlier ones', { times: { min: 5_969 } }],
    ['some later ones', { times: { max: 7_401 } }],
    ['an unknown minimum', { times: { min: 'never' } }],
    ['an unknown median', { times: { p50: 'never' } }],
    ['some without a response', { times: { max: 'never' } }],
    ['too few seconds with successes', { good: (second) => (second === 11 ? 0 : second % 2) }],
  ])('are not met by %s', (_name, changes) => {
    expect(of(changes)).toBeUndefined();
  });

  it('use only the seconds of the wait', () => {
    const waited = (second: number): boolean => second >= 10 && second < 18;
    expect(of({ good: (second) => (waited(second) ? second % 2 : 0) })).toBeDefined();
    expect(of({ good: (second) => (waited(second) ? 0 : 1) })).toBeUndefined();
    expect(of({ good: (second) => (second === 10 || (waited(second) && second % 2 === 1 && second !== 11) ? 1 : 0) })).toBeDefined();
  });
});
