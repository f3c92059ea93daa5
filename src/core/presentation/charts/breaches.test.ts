import { describe, expect, it } from 'vitest';
import type { Criterion } from '#core/plan/schema/plan.ts';
import type { Point } from '#core/result/schema.ts';
import { samplePoint } from '#core/testing/points.ts';
import { findBreaches } from './limits.ts';

const stages = [
  { name: 'warm-up', counted: false, from: 0, to: 2 },
  { name: 'load', counted: true, from: 2, to: 8 },
];
const p95: Criterion = { kind: 'responseTime', percentile: 95, maxMs: 300 };
const samplePoints = (all: readonly Partial<Point>[]) => all.map((one, second) => samplePoint(second, one));
const slow: Partial<Point> = { p90: 100, p95: 400, p99: 500 };
const fast: Partial<Point> = { p90: 100, p95: 200, p99: 500 };

describe('findBreaches', () => {
  it('returns the counted seconds in which the percentile exceeded the criterion, without gaps between', () => {
    const points = samplePoints([slow, slow, fast, slow, slow, fast, fast, slow, slow]);
    expect(findBreaches(p95, points, stages)).toEqual({
      side: 'above',
      spans: [
        { second: 3, width: 2 },
        { second: 7, width: 1 },
      ],
    });
  });

  it('uses the next lower percentile, a certain lower bound, if a result lacks the judged one', () => {
    const withoutIt = samplePoints([{}, {}, { p90: 350 }, { p90: 350 }]);
    expect(findBreaches(p95, withoutIt, stages)?.spans).toEqual([{ second: 2, width: 2 }]);
    expect(findBreaches({ ...p95, percentile: 40 }, withoutIt, stages)?.spans).toEqual([]);
  });

  it('returns seconds below a throughput criterion, by second and not by window', () => {
    const points = samplePoints([{}, {}, { ok: 90 }, { ok: 110 }, { ok: 900, width: 4 }]);
    expect(findBreaches({ kind: 'throughput', minPerSecond: 100 }, points, stages)).toEqual({
      side: 'below',
      spans: [{ second: 2, width: 1 }],
    });
  });

  it('returns null for single steps, whole pages and shares', () => {
    const points = samplePoints([slow]);
    expect(findBreaches({ ...p95, step: 'login' }, points, stages)).toBeNull();
    expect(findBreaches({ ...p95, of: 'pages' }, points, stages)).toBeNull();
    expect(findBreaches({ kind: 'errors', maxShare: 0.01 }, points, stages)).toBeNull();
  });
});
