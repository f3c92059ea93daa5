import { describe, expect, it } from 'vitest';
import { HoldfastError } from '#core/base/errors.ts';
import { planWith, stages } from '#core/testing/plans.ts';
import { repeatedWindows, windowWith } from '#core/testing/windows.ts';
import type { Window } from '#core/measurement/window.ts';
import { pointOfWindow, reducePoints } from '#core/result/pointSeries.ts';
import { resultSchema } from '#core/result/schema.ts';
import { runHead } from '#core/result/testing/runHead.ts';
import { buildResult, type ResultInput } from './buildResult.ts';

const warmUp = { name: 'warm-up', connections: 10, seconds: 5, counted: false };
const main = { name: 'main', connections: 10, seconds: 10 };
const plan = planWith({
  journey: [{ name: 'home' }, { name: 'task' }],
  load: stages(warmUp, main),
  criteria: [{ kind: 'responseTime', percentile: 95, maxMs: 1_000 }],
});

/** Returns 5 s of slow warm-up, 10 s of the main stage, and one response 3 s later. */
function windows(): Window[] {
  const main = repeatedWindows(10, { stage: 1, step: 0, second: 5, ok: [{ count: 80, ms: 20 }], failed: { httpError: 20 } });
  const late = { ...windowWith({ stage: 1, step: 1, second: 17, ok: [{ count: 10, ms: 3_000 }] }), loaded: [] };
  return [...repeatedWindows(5, { stage: 0, step: 0, ok: [{ count: 50, ms: 900 }] }), ...main, late];
}

const input = (changes: Partial<ResultInput> = {}): ResultInput => ({
  head: runHead,
  plan,
  windows: windows(),
  end: {
    firstBodyLengths: [6_844, null],
    serverSoftware: 'nginx',
    addresses: { '127.0.0.1': 4 },
    stages: [
      { startedAtSecond: 0, endedAtSecond: 5 },
      { startedAtSecond: 5, endedAtSecond: 15 },
    ],
    endedAtSecond: 18,
  },
  generators: [],
  events: [],
  ...changes,
});

describe('buildResult', () => {
  it('returns everything that the schema requires', () => {
    expect(() => resultSchema.parse(buildResult(input()))).not.toThrow(HoldfastError);
    expect(resultSchema.safeParse(buildResult(input())).error?.issues ?? []).toEqual([]);
    expect(
      resultSchema.safeParse(buildResult(input({ windows: [], end: null, head: { ...runHead, state: 'interrupted' } }))).error?.issues ??
        [],
    ).toEqual([]);
  });

  it('states the same overloaded time of the whole run in sentences as in figures', () => {
    const ok = [{ count: 80, ms: 20 }];
    const overloadedInBoth = [
      ...repeatedWindows(5, { stage: 0, ok, overloadedBy: ['steal'] }),
      ...repeatedWindows(2, { stage: 1, second: 5, ok, overloadedBy: ['steal'] }),
      ...repeatedWindows(8, { stage: 1, second: 7, ok }),
    ];
    const { overload, verdict } = buildResult(input({ windows: overloadedInBoth }));
    expect(overload?.seconds).toBe(7);
    expect(verdict.reasons.map(({ text }) => text)).toContainEqual(expect.stringContaining('overloaded for 7 s'));
  });

  it('counts an overload in the last second of a run only until the end of the run', () => {
    const ok = [{ count: 80, ms: 20 }];
    const measured = [
      ...repeatedWindows(2, { stage: 0, ok, overloadedBy: ['steal'] }),
      ...repeatedWindows(8, { stage: 0, second: 2, ok }),
      windowWith({ stage: 0, second: 10, ok, overloadedBy: ['steal'] }),
    ];
    const { end } = input();
    const { overload } = buildResult(input({ windows: measured, end: end && { ...end, endedAtSecond: 10.02 } }));
    expect(overload?.seconds).toBe(2);
  });

  it('returns the same number of sent requests everywhere, without those that could not be sent', () => {
    const half = repeatedWindows(10, { stage: 1, step: 0, second: 5, ok: [{ count: 1, ms: 20 }], failed: { notMade: 1 } });
    const result = buildResult(input({ windows: half }));
    expect(result.balances).toBe(true);
    expect(result.outcomes.requests).toMatchObject({ sent: 10, ok: 10, notMade: 10, inFlight: 0 });
    const sent = [result.steps[0], result.stages[1], result.stages[1]?.steps[0], { requests: result.requestsByStep['home'] }];
    expect(sent.map((one) => one?.requests?.sent)).toEqual([10, 10, 10, 10]);
    expect(result.windows.reduce((sum, { started }) => sum + started, 0)).toBe(10);
    expect(result.windows.reduce((sum, { failed }) => sum + failed, 0)).toBe(10);
    expect(result.rates.startedPerSecond).toBe(1);
  });

  it('keeps the warm-up in the request outcomes but not in the figures', () => {
    const result = buildResult(input());
    expect(result.outcomes.requests).toMatchObject({ sent: 1_260, ok: 1_060, httpError: 200 });
    expect(result.balances).toBe(true);
    expect(result.latency.service).toMatchObject({ count: 810, min: 20, p50: 20, max: 3_000 });
    expect(result.stages.map(({ name, requests, latency }) => [name, requests.sent, latency.service.p50])).toEqual([
      ['warm-up', 250, 900],
      ['main', 1_010, 20],
    ]);
    expect(result.steps.map(({ name, requests }) => [name, requests.sent])).toEqual([
      ['home', 1_000],
      ['task', 10],
    ]);
    expect(result.stages[1]?.steps.map(({ bodyLength }) => bodyLength.first)).toEqual([6_844, null]);
  });

  it('returns figures of all stages if none is counted', () => {
    const uncounted = planWith({ ...plan, criteria: [], load: stages(warmUp, { ...main, counted: false }) });
    expect(buildResult(input({ plan: uncounted })).latency.service.count).toBe(1_060);
  });

  it('computes rates over the time of the load, without the drain', () => {
    const { rates, durationSeconds } = buildResult(input());
    expect(rates.startedPerSecond).toBe(101);
    expect(rates.completedPerSecond).toBe(100);
    expect(durationSeconds).toBe(18);
  });

  it('computes rates up to the last response if a stage ends after a number of requests', () => {
    const byRequests = planWith({ load: stages({ connections: 10, requests: 100 }) });
    const facts = {
      firstBodyLengths: [null],
      serverSoftware: null,
      addresses: {},
      stages: [{ startedAtSecond: 0, endedAtSecond: 0.1 }],
      endedAtSecond: 0.5,
    };
    expect(
      buildResult(input({ plan: byRequests, end: facts, windows: [windowWith({ ok: [{ count: 100, ms: 20 }] })] })).rates
        .completedPerSecond,
    ).toBe(200);
  });

  it('counts every failure as never responding in the error-adjusted times', () => {
    const { errorAdjusted } = buildResult(input()).latency;
    expect(errorAdjusted).toMatchObject({ count: 1_010, p50: 20, p75: 20, p90: 'never', mean: 'never', stddev: null, max: 'never' });
  });

  it('reports values that the driver cannot measure as unknown', () => {
    const { phases, rates } = buildResult(input({ windows: [], end: null }));
    expect(phases).toEqual({ lookup: null, connect: null, tls: null, firstByte: null, transfer: null, scheduleLag: null });
    expect(rates).toEqual({ startedPerSecond: null, completedPerSecond: null, bytesPerSecond: null });
  });

  it('balances the outcomes of a run whose process was killed', () => {
    const killed = { ...runHead, state: 'interrupted' as const };
    const byRequests = planWith({ load: stages({ connections: 10, requests: 1_000 }) });
    const result = buildResult(
      input({ plan: byRequests, head: killed, end: null, windows: repeatedWindows(4, { ok: [{ count: 100, ms: 20 }] }) }),
    );
    expect(result.balances).toBe(true);
    expect(result.outcomes.journeys).toMatchObject({ planned: 1_000, started: 400, notStarted: { target: 0, generator: 0, stopped: 600 } });
    expect(result.rates.completedPerSecond).toBe(100);
    expect(result.verdict.outcome).toBe('measured');
  });

  it('computes verdict and findings in one pass over the windows', () => {
    let passes = 0;
    const once = {
      *[Symbol.iterator]() {
        passes += 1;
        yield* windows();
      },
    };
    const result = buildResult(input({ windows: once }));
    expect([passes, result.verdict.outcome, result.criteria.map(({ outcome }) => outcome)]).toEqual([
      1,
      'failed',
      ['failed', 'failed', 'failed', 'passed'],
    ]);
  });

  it('keeps all samples: a time for each response and a point for each window', () => {
    const result = buildResult(input());
    expect(result.windows.reduce((sum, point) => sum + point.completed, 0)).toBe(1_260);
    expect(result.windows.length).toBe(windows().length);
    expect(buildResult(input({ maxPoints: 4 })).windows.reduce((sum, point) => sum + point.completed, 0)).toBe(1_260);
  });
});

describe('points of the time axis', () => {
  it('have the figures of their windows, and null without responses', () => {
    expect(
      pointOfWindow(
        windowWith({
          second: 3,
          ok: [
            { count: 9, ms: 20 },
            { count: 1, ms: 500 },
          ],
          failed: { httpError: 2, refused: 3 },
          withoutResponse: 4,
          overloadedBy: ['steal'],
        }),
      ),
    ).toMatchObject({
      second: 3,
      started: 19,
      completed: 12,
      ok: 10,
      failed: 5,
      inFlight: 4,
      p50: 20,
      p90: 20,
      max: 500,
      status: { '200': 10 },
      overloadedBy: ['steal'],
    });
    expect(pointOfWindow(windowWith({ failed: { refused: 3 } }))).toMatchObject({
      p50: null,
      p99: null,
      max: null,
      completed: 0,
      failed: 3,
    });
  });

  it('are joined without loss, keeping the worst second, and not across a gap', () => {
    const points = [
      ...repeatedWindows(9, { ok: [{ count: 5, ms: 20 }] }),
      windowWith({ second: 9, ok: [{ count: 5, ms: 700 }] }),
      ...repeatedWindows(2, { second: 20 }),
    ].map(pointOfWindow);
    const reduced = reducePoints(points, 4);
    expect(reduced.length).toBeLessThanOrEqual(4);
    expect(reduced.reduce((sum, point) => sum + point.completed, 0)).toBe(50);
    expect(Math.max(...reduced.map((point) => point.p50 ?? 0))).toBe(700);
    expect(reduced.every((point) => point.second + point.width <= 10 || point.second >= 20)).toBe(true);
    expect(reducePoints(points, 100)).toEqual(points);
  });
});
