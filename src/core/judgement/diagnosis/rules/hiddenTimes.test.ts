import { describe, expect, it } from 'vitest';
import type { LatencySummary } from '#core/statistics/latencySummary.ts';
import type { MeasuredRun } from '../rule.ts';
import { facts, healthyStep } from '../testing/facts.ts';
import { averageHides, pageApdex, slowTail, unevenAddresses } from './hiddenTimes.ts';

const { service } = healthyStep().latency;
function timed(changes: Partial<LatencySummary>): MeasuredRun {
  const times = { ...service, ...changes };
  return facts(healthyStep({ latency: { service: times, response: times, errorAdjusted: times } }));
}

describe('an average that hides what people wait for', () => {
  const found = (changes: Partial<LatencySummary>): boolean =>
    averageHides.find(timed({ p50: 20, p90: 30, mean: 60, ...changes })).length > 0;

  it('is longer than nine of ten answers, twice the median and 10 ms more than it', () => {
    expect([found({}), found({ p90: 59 }), found({ p90: 60 })]).toEqual([true, true, false]);
    expect([found({ p50: 30 }), found({ p50: 30.1 })]).toEqual([true, false]);
    expect([found({ p50: 2, p90: 3, mean: 12 }), found({ p50: 2, p90: 3, mean: 11.9 })]).toEqual([true, false]);
  });

  it('is of a hundred answers at least, all of which have a time', () => {
    expect([found({ count: 100 }), found({ count: 99 })]).toEqual([true, false]);
    expect([found({ mean: 'never' }), found({ p90: 'never' }), found({ p50: null })]).toEqual([false, false, false]);
  });

  it('is named by its step', () => {
    expect(averageHides.find(timed({ p50: 20, p90: 30, mean: 60 }))[0]).toMatchObject({ id: 'averageHides.description', level: 'info' });
  });
});

describe('a slow tail', () => {
  const found = (changes: Partial<LatencySummary>): boolean =>
    slowTail.find(timed({ count: 1_000, p50: 20, p99: 50, max: 500, stddev: 10, ...changes })).length > 0;

  it('ends half a second out at least, and ten times as far as 99 of 100', () => {
    expect([found({}), found({ max: 499 }), found({ p99: 50.1 })]).toEqual([true, false, false]);
    expect([found({ max: 5_000, p99: 500 }), found({ max: 4_999, p99: 500 })]).toEqual([true, false]);
  });

  it('is of a thousand answers at least, all of which have a time', () => {
    expect(found({ count: 999 })).toBe(false);
    expect([found({ p50: null }), found({ p99: 'never' }), found({ max: 'never' }), found({ stddev: null })]).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it('has the share that its standard deviation gives: (48 / (500 − 20))² = 1 %', () => {
    expect(slowTail.find(timed({ count: 1_000, p50: 20, p99: 50, max: 500, stddev: 48 }))[0]?.sentence).toMatch(/^About 1 % of responses/);
  });
});

describe('pages beside their requests', () => {
  const found = (page: number | null, request: number | null, counted = 20): boolean => {
    const all = {
      started: counted,
      complete: counted,
      incomplete: 0,
      times: service,
      errorAdjusted: service,
      completePerSecond: 2,
      thresholdMs: 1_500,
      pageApdex: { value: page, counted },
      requestApdex: { value: request, counted: 900 },
    };
    const content = { pages: 1, resources: { css: 0, script: 0, image: 0, icon: 0, font: 0 } };
    return pageApdex.find({ ...facts(), pages: { all, content, steps: [], stages: [], leftOut: {} } }).length > 0;
  };

  it('are told where requests have a better word, and twenty pages say so', () => {
    // Good from 0.85 on.
    expect([found(0.84, 0.85), found(0.85, 0.86), found(0.85, 0.84)]).toEqual([true, false, false]);
    expect([found(0.5, 0.9, 19), found(null, 0.9), found(0.5, null)]).toEqual([false, false, false]);
    expect(pageApdex.find(facts())).toEqual([]);
  });
});

describe('several addresses of a name', () => {
  const found = (addresses: Record<string, number>, more: Partial<MeasuredRun> = {}) => {
    const given = facts();
    return unevenAddresses.find({ ...given, server: { ...given.server, addresses }, ...more });
  };

  it('are uneven where one has half more than its even share', () => {
    // 45 of 60 where 30 would be even; 44 are less than 1.5 times that.
    expect(found({ a: 15, b: 45 })).toHaveLength(1);
    expect(found({ a: 16, b: 44 })).toEqual([]);
    expect(found({ a: 15, b: 45 })[0]?.sentence).toMatch(/^b got 75 % of requests, .* has 2 addresses: an even share is 50 %\.$/);
  });

  it('are not reported with few requests, one address, or several targets', () => {
    expect([found({ a: 1, b: 39 }).length, found({ a: 0, b: 39 }).length]).toEqual([1, 0]);
    expect([found({ a: 900 }), found({})]).toEqual([[], []]);
    const { plan } = facts();
    expect(found({ a: 15, b: 45 }, { plan: { ...plan, targets: [...plan.targets, ...plan.targets] } })).toEqual([]);
  });
});
