import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { planSchema } from '#core/plan/schema/plan.ts';
import { serviceTimes } from '#core/measurement/cellFigures.ts';
import { percentileRank, valueAtRank } from '#core/statistics/histogram.ts';
import { Totals } from '#core/result/totals.ts';
import { prometheusResponseSchema, readSeries } from './response.ts';
import { importedRun, PROMETHEUS_METRICS, type MetricSeries } from './importedRun.ts';

/**
 * Response of Prometheus 2.42 after k6 1.8.1 had written this plan's load; the server counted 346 requests for each path. Of the histograms
 * of times, only those of the whole duration are kept.
 */
const recorded = z
  .record(z.enum(PROMETHEUS_METRICS), prometheusResponseSchema)
  .parse(JSON.parse(readFileSync(new URL('testing/recorded.jsonl', import.meta.url), 'utf8')));
const plan = planSchema.parse({
  holdfast: 1,
  name: 'recorded',
  engine: 'k6',
  targets: [{ url: 'http://127.0.0.1/' }],
  journey: [
    { name: 'front', checks: [{ kind: 'contains', text: 'Welcome' }] },
    { name: 'second', path: '/second', checks: [{ kind: 'contains', text: 'Nothing' }] },
    { name: 'third', path: '/missing' },
  ],
  load: {
    model: 'arrivals',
    maxInFlight: 200,
    stages: [
      { kind: 'constant', name: 'warm', perSecond: 10, seconds: 5, counted: false },
      { kind: 'constant', name: 'peak', perSecond: 20, seconds: 15 },
    ],
  },
});
const of = (metric: (typeof PROMETHEUS_METRICS)[number]): ReturnType<typeof readSeries> => readSeries(recorded[metric]);
const series: MetricSeries = {
  k6_http_reqs_total: of('k6_http_reqs_total'),
  k6_http_req_duration_seconds: of('k6_http_req_duration_seconds'),
  k6_http_req_waiting_seconds: of('k6_http_req_waiting_seconds'),
  k6_http_req_receiving_seconds: of('k6_http_req_receiving_seconds'),
  k6_http_req_connecting_seconds: of('k6_http_req_connecting_seconds'),
  k6_http_req_tls_handshaking_seconds: of('k6_http_req_tls_handshaking_seconds'),
  k6_iterations_total: of('k6_iterations_total'),
  k6_dropped_iterations_total: of('k6_dropped_iterations_total'),
  k6_failed_requests_rate: of('k6_failed_requests_rate'),
  k6_vus_max: of('k6_vus_max'),
  k6_data_received_total: of('k6_data_received_total'),
  k6_data_sent_total: of('k6_data_sent_total'),
};

describe('importedRun', () => {
  const run = importedRun(plan, series);
  const totals = new Totals();
  for (const window of run?.windows ?? []) totals.add(window);

  it('contains every request of the server’s log, and balances', () => {
    expect(totals.outcomes(plan, true)).toMatchObject({
      balances: true,
      outcomes: {
        journeys: { planned: 350, started: 346, finished: 346, notStarted: { generator: 4, target: 0, stopped: 0 } },
        requests: { sent: 1_038, ok: 346, wrongBody: 346, httpError: 346, inFlight: 0 },
      },
    });
    for (const step of [0, 1, 2]) expect(totals.sum((cell) => cell.step === step).started).toBe(346);
  });

  it('returns the percentiles of k6’s summary within the precision of the buckets', () => {
    const times = serviceTimes(totals.sum());
    expect(times?.totalCount).toBe(1_038);
    for (const [percentile, summaryMs] of [
      [50, 34.8],
      [90, 61.37],
      [95, 82.25],
      [99, 222.03],
    ] as const) {
      const rank = percentileRank(percentile, 1_038);
      const ms = times === undefined ? Number.NaN : valueAtRank(times, rank) / 1_000;
      // Buckets grow by a factor of 2^(1/8), so their middle differs by at most half of that.
      expect(Math.abs(Math.log2(ms / summaryMs))).toBeLessThan(1 / 16 + 0.01);
    }
  });

  it('returns windows between the times at which k6 pushed', () => {
    expect(run).toMatchObject({ instances: 1, hasHistograms: true });
    expect(run?.windows.map(({ second, width }) => [second, width])).toEqual([
      [0, 5],
      [5, 5],
      [10, 5],
      [15, 5],
    ]);
    expect([0, 1].map((stage) => totals.sum((cell) => cell.stage === stage).started)).toEqual([136, 902]);
    expect([0, 1].map((stage) => totals.sum((cell) => cell.stage === stage).journeysStarted)).toEqual([46, 300]);
    // The summary of k6 states 150 kB.
    expect(Math.round(totals.sum().bytesReceived / 1_000)).toBe(150);
    expect(run?.end.stages.map(({ startedAtSecond }) => startedAtSecond)).toEqual([0, 5]);
  });

  it('counts opened connections', () => {
    const { connectionsOpened, requestsOnReusedConnection } = totals.sum();
    expect(connectionsOpened).toBeGreaterThan(0);
    expect(connectionsOpened + requestsOnReusedConnection).toBe(1_038);
  });

  it('returns null without requests', () => {
    expect(importedRun(plan, { ...series, k6_http_reqs_total: [] })).toBeNull();
  });
});

it('importedRun: refuses samples further apart than any run lasts instead of creating a window per second', () => {
  const [one] = of('k6_http_reqs_total');
  if (one === undefined) throw new Error('nothing was recorded');
  const samples = [{ at: 100, value: 1 }, ...one.samples];
  const apart = { ...series, k6_http_reqs_total: [{ ...one, samples }] };
  expect(() => importedRun(plan, apart)).toThrow(expect.objectContaining({ code: 'K6_RUN_TOO_LONG' }));
});
