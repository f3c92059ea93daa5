import { describe, expect, it } from 'vitest';
import type { LatencySummary } from '#core/statistics/latency.ts';
import type { MeasuredRun } from '../rule.ts';
import { facts, healthyStep } from '../testing/facts.ts';
import { averageHides, pageApdex, slowTail, unevenAddresses } from './times.ts';

const { service } = healthyStep().latency;
function timed(changes: Partial<LatencySummary>): MeasuredRun {
  const times = { ...service, ...changes };
  return facts(healthyStep({ latency: { service: times, response: times, errorAdjusted: times } }));
}

describe('averageHides', () => {
  const found = (changes: Partial<LatencySummary>): boolean =>
    averageHides.find(timed({ p50: 20, p90: 30, mean: 60, ...changes })).length > 0;

  it('requires a mean above the 90th percentile, twice the median and 10 ms above it', () => {
    expect([found({}), found({ p90: 59 }), found({ p90: 60 })]).toEqual([true, true, false]);
    expect([found({ p50: 30 }), found({ p50: 30.1 })]).toEqual([true, false]);
    expect([found({ p50: 2, p90: 3, mean: 12 }), found({ p50: 2, p90: 3, mean: 11.9 })]).toEqual([true, false]);
  });

  it('requires a hundred responses, each with a time', () => {
    expect([found({ count: 100 }), found({ count: 99 })]).toEqual([true, false]);
    expect([found({ mean: 'never' }), found({ p90: 'never' }), found({ p50: null })]).toEqual([false, false, false]);
  });

  it('names its step', () => {
    expect(averageHides.find(timed({ p50: 20, p90: 30, mean: 60 }))[0]).toMatchObject({ id: 'averageHides.description', level: 'info' });
  });
});

describe('slowTail', () => {
  const found = (changes: Partial<LatencySummary>): boolean =>
    slowTail.find(timed({ count: 1_000, p50: 20, p99: 50, max: 500, stddev: 10, ...changes })).length > 0;

  it('requires a maximum of half a second and ten times the 99th percentile', () => {
    expect([found({}), found({ max: 499 }), found({ p99: 50.1 })]).toEqual([true, false, false]);
    expect([found({ max: 5_000, p99: 500 }), found({ max: 4_999, p99: 500 })]).toEqual([true, false]);
  });

  it('requires a thousand responses, each with a time', () => {
    expect(found({ count: 999 })).toBe(false);
    expect([found({ p50: null }), found({ p99: 'never' }), found({ max: 'never' }), found({ stddev: null })]).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  it('computes the share from the standard deviation: (48 / (500 − 20))² = 1 %', () => {
    expect(slowTail.find(timed({ count: 1_000, p50: 20, p99: 50, max: 500, stddev: 48 }))[0]?.sentence).toMatch(/^About 1 % of responses/);
  });
});

describe('pageApdex', () => {
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

  it('reports that requests are rated better than pages, from twenty pages on', () => {
    // The rating “good” begins at 0.85.
    expect([found(0.84, 0.85), found(0.85, 0.86), found(0.85, 0.84)]).toEqual([true, false, false]);
    expect([found(0.5, 0.9, 19), found(null, 0.9), found(0.5, null)]).toEqual([false, false, false]);
    expect(pageApdex.find(facts())).toEqual([]);
  });
});

describe('unevenAddresses', () => {
  const found = (addresses: Record<string, number>, more: Partial<MeasuredRun> = {}) => {
    const given = facts();
    return unevenAddresses.find({ ...given, server: { ...given.server, addresses }, ...more });
  };

  it('reports an address with 1.5 times its even share', () => {
    // An even share of 60 requests is 30; 45 are 1.5 times as many, and 44 are fewer.
    expect(found({ a: 15, b: 45 })).toHaveLength(1);
    expect(found({ a: 16, b: 44 })).toEqual([]);
    expect(found({ a: 15, b: 45 })[0]?.sentence).toMatch(
      /^b got 75 % of requests, .* had 2 addresses during the run: an even share is 50 %\.$/,
    );
  });

  it('ignores few requests, one address, and several targets', () => {
    expect([found({ a: 1, b: 39 }).length, found({ a: 0, b: 39 }).length]).toEqual([1, 0]);
    expect([found({ a: 900 }), found({})]).toEqual([[], []]);
    const { plan } = facts();
    expect(found({ a: 15, b: 45 }, { plan: { ...plan, targets: [...plan.targets, ...plan.targets] } })).toEqual([]);
  });
});
