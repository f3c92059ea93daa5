import { describe, expect, it } from 'vitest';
import type { Point } from '#core/result/schema.ts';
import {
  backlogData,
  cacheData,
  errorData,
  handshakeData,
  latencyBands,
  latencyData,
  notStartedData,
  statusData,
  throughputData,
} from './runSeries.ts';
import { planWith } from '#core/testing/plans.ts';
import { samplePoint } from '#core/testing/points.ts';

const listValues = (data: { series: readonly { id: string; values: readonly (number | null)[] }[] }) =>
  Object.fromEntries(data.series.map(({ id, values }) => [id, values]));

describe('throughputData', () => {
  it('returns rates, even for merged windows', () => {
    const points = [samplePoint(0, { started: 50, completed: 40 }), samplePoint(1, { width: 10, started: 300, completed: 250 })];
    expect(listValues(throughputData(points))).toEqual({ started: [50, 30], completed: [40, 25] });
    expect(listValues(throughputData(points, [60, 35]))).toMatchObject({ planned: [60, 35], started: [50, 30] });
  });
});

describe('latencyData', () => {
  it('leaves a second without responses unknown', () => {
    const silent: Partial<Point> = { p50: null, p90: null, p99: null, max: null };
    expect(listValues(latencyData([samplePoint(0, silent)]))['p99']).toEqual([null]);
  });

  it('shows the judged percentile: p95 instead of p90, or both if both are judged', () => {
    const ids = (...percentiles: number[]) => {
      const criteria = percentiles.map((percentile) => ({ kind: 'responseTime' as const, percentile, maxMs: 100 }));
      const data = latencyData([samplePoint(0, { p95: 21 })], planWith({ criteria }));
      return {
        ids: data.series.map(({ id }) => id),
        p95: listValues(data)['p95'],
        bands: latencyBands(data).map(({ from, to }) => `${from}-${to}`),
      };
    };
    expect(ids()).toEqual({ ids: ['max', 'p99', 'p90', 'p50'], p95: undefined, bands: ['p50-p90', 'p90-p99'] });
    expect(ids(99)).toMatchObject({ ids: ['max', 'p99', 'p90', 'p50'] });
    expect(ids(95)).toEqual({ ids: ['max', 'p99', 'p95', 'p50'], p95: [21], bands: ['p50-p95', 'p95-p99'] });
    expect(ids(90, 95)).toMatchObject({ ids: ['max', 'p99', 'p95', 'p90', 'p50'], bands: ['p50-p90', 'p90-p99'] });
  });

  it('adds a second line if waiting before sending counts', () => {
    const ids = (points: Point[]) => latencyData(points).series.map(({ id }) => id);
    expect(ids([samplePoint(0)])).not.toContain('serviceP99');
    const points = [samplePoint(0, { p99: 900, service: { p50: 20, p99: 30 } }), samplePoint(1)];
    expect(listValues(latencyData(points))).toMatchObject({ p99: [900, 29], serviceP99: [30, null] });
  });
});

describe('backlogData', () => {
  it('names its line “pending results”, not requests in flight', () => {
    expect(backlogData([samplePoint(0)]).series.map(({ name, label }) => [name, label])).toEqual([['Pending results', 'pending']]);
  });
});

describe('cacheData', () => {
  it('shows cache shares, and responses without cache headers only if there are any', () => {
    const stated = samplePoint(0, { completed: 100, cache: { fromCache: 80, fromServer: 20 } });
    expect(listValues(cacheData([stated]))).toEqual({ fromCache: [0.8] });
    const points = [stated, samplePoint(1, { completed: 50 }), samplePoint(2, { completed: 0 })];
    expect(listValues(cacheData(points))).toEqual({ fromCache: [0.8, 0, null], unsaid: [0, 1, null] });
  });
});

describe('handshakeData', () => {
  it('distinguishes full and resumed handshakes per second', () => {
    const points = [
      samplePoint(0, { handshakes: { full: 8, resumed: 0 } }),
      samplePoint(1, { width: 2, handshakes: { full: 4, resumed: 12 } }),
    ];
    const data = handshakeData(points);
    expect(data && listValues(data)).toEqual({ full: [8, 2], resumed: [0, 6] });
  });

  it('returns null without resumed handshakes', () => {
    expect(handshakeData([samplePoint(0), samplePoint(1, { handshakes: { full: 4, resumed: 0 } })])).toBeNull();
  });
});

describe('notStartedData', () => {
  it('distinguishes causes per second', () => {
    const points = [samplePoint(0), samplePoint(1, { width: 2, notStarted: { target: 10, generator: 0 } })];
    expect(listValues(notStartedData(points))).toEqual({ target: [0, 5] });
    expect(notStartedData([samplePoint(0)]).series).toEqual([]);
  });
});

describe('statusData', () => {
  it('groups codes by first digit, omits absent groups, and counts requests without a response', () => {
    const points = [samplePoint(0, { status: { '200': 5, '204': 1, '503': 2 }, errors: { 'ECONNREFUSED@connect': 3 } }), samplePoint(1)];
    expect(listValues(statusData(points))).toEqual({ '2xx': [6, 100], '5xx': [2, 0], none: [3, 0] });
  });
});

const UNSENT = 'NO_VALUE {{cookie._nobody}}@build';

describe('requests that were not sent', () => {
  const errors = { [UNSENT]: 4, 'ECONNREFUSED@connect': 3, 'TEXT_MISSING “Welcome”@check': 2 };
  const points = [samplePoint(0, { status: { '200': 5 }, errors })];

  it('do not count as requests without a response, and neither do failed checks', () => {
    const { series } = statusData(points);
    expect(series.map(({ id, name, values }) => [id, name, values])).toEqual([
      ['2xx', 'Status 2xx', [5]],
      ['none', 'No response', [3]],
      ['notMade', 'Not sent', [4]],
    ]);
    expect(statusData([samplePoint(0, { status: {}, errors: { [UNSENT]: 4 } })]).series.map(({ id }) => id)).toEqual(['notMade']);
  });

  it('are named by the missing value', () => {
    expect(errorData(points).series.map(({ name, label }) => [name, label])).toEqual([
      ['could not be made: {{cookie._nobody}} has no value', 'could not be made: {{cookie._nobody}} has no value'],
      ['ECONNREFUSED@connect', 'ECONNREFUSED'],
      ['wrong content: “Welcome” is missing', 'wrong content: “Welcome” is missing'],
    ]);
  });
});

describe('errorData', () => {
  it('is empty if every request got a response', () => {
    expect(errorData([samplePoint(0)]).series).toEqual([]);
  });

  it('names the most frequent codes and sums the others', () => {
    const errors = { A: 10, B: 9, C: 8, D: 7, E: 6, F: 5 };
    const data = errorData([samplePoint(0, { errors })]);
    expect(data.series.map(({ name }) => name)).toEqual(['A', 'B', 'C', 'D', 'other']);
    expect(data.series.reduce((sum, { values }) => sum + (values[0] ?? 0), 0)).toBe(45);
  });
});
