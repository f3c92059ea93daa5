import { describe, expect, it } from 'vitest';
import type { Point } from '#core/result/schema.ts';
import { variantLook } from '#core/presentation/charts/looks.ts';
import { overlayData } from './overlay.ts';

const point = (second: number, width: number, completed: number, p90: number | null): Point => ({
  second,
  width,
  started: completed,
  completed,
  ok: completed,
  failed: 0,
  inFlight: 0,
  bytesReceived: 0,
  p50: p90,
  p90,
  p95: p90,
  p99: p90,
  max: p90,
  service: null,
  notStarted: { target: 0, generator: 0 },
  waiting: 0,
  status: {},
  errors: {},
  overloadedBy: [],
});
const run = (id: string, points: Point[]) => ({ id, name: `variant ${id} of many`, look: variantLook(0), points });

describe('overlayData', () => {
  it('aligns runs at their start, with gaps instead of zeros after the end of a run', () => {
    const { throughput, p95, toSecond } = overlayData([
      run('a', [point(0, 1, 10, 5), point(1, 1, 20, 6), point(2, 0.5, 5, 7)]),
      run('b', [point(0, 1, 4, null)]),
    ]);
    expect(toSecond).toBe(3);
    expect(throughput.series.map(({ values }) => values)).toEqual([
      [10, 20, 10],
      [4, null, null],
    ]);
    expect(p95.series[1]?.values).toEqual([null, null, null]);
  });

  it('ignores a short last point for rates', () => {
    const { throughput } = overlayData([run('a', [point(0, 1, 10, 5), point(1, 0.1, 9, 5)])]);
    expect(throughput.series[0]?.values).toEqual([10, null]);
  });

  it('uses the widest interval of all runs and keeps all responses', () => {
    const fine = Array.from({ length: 60 }, (_, second) => point(second, 1, 7, 1));
    const { throughput } = overlayData([run('a', fine), run('b', [point(0, 10, 100, 9), point(10, 10, 300, 9)])]);
    expect(throughput.spans[0]).toEqual({ second: 0, width: 10 });
    expect(throughput.series[0]?.values).toEqual([7, 7, 7, 7, 7, 7]);
    expect(throughput.series[1]?.values).toEqual([10, 30, null, null, null, null]);
  });
});
