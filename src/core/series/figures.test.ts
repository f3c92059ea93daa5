import { describe, expect, it } from 'vitest';
import { emptyRequestOutcomes } from '#core/measurement/requestOutcomes.ts';
import type { RunResult } from '#core/result/schema.ts';
import { sampleResult } from '#core/result/testing/sampleResult.ts';
import { computeFigures, decideOutcome } from './buildSeriesResult.ts';

type Requests = RunResult['outcomes']['requests'];

/** Returns the sample result with the given requests in its warm-up and in its counted stage. */
function resultWith(warmUp: Partial<Requests>, counted: Partial<Requests>, changes: Partial<RunResult> = {}): RunResult {
  const sample = sampleResult();
  const requests = [warmUp, counted];
  return {
    ...sample,
    stages: sample.stages.map((stage, index) => ({ ...stage, requests: { ...emptyRequestOutcomes(), ...requests[index] } })),
    ...changes,
  };
}
const rates = { startedPerSecond: 50, completedPerSecond: 40, bytesPerSecond: 1 };

describe('computeFigures', () => {
  it('covers the counted stages', () => {
    const figures = computeFigures(
      resultWith({ sent: 7, ok: 7 }, { sent: 90, notMade: 10, ok: 60, httpError: 15, wrongBody: 5, reset: 10 }, { rates }),
    );
    expect(figures).toMatchObject({ sent: 90, ok: 60, failedShare: 0.4, completedPerSecond: 40, okPerSecond: 30 });
  });

  it('counts arrivals that the target kept from starting as failures', () => {
    const result = resultWith({}, { sent: 60, ok: 60 }, { rates });
    const stages = result.stages.map((stage) => ({ ...stage, journeys: { ...stage.journeys, notStartedTarget: stage.counted ? 40 : 7 } }));
    expect(computeFigures({ ...result, stages })).toMatchObject({ sent: 60, ok: 60, failedShare: 0.4 });
  });

  it('covers all stages if no counted one was reached', () => {
    expect(computeFigures(resultWith({ sent: 8, ok: 6, httpError: 2 }, {}))).toMatchObject({ sent: 8, ok: 6, failedShare: 0.25 });
  });

  it('returns no share of failures without requests, and a rate of 0 without successes', () => {
    expect(computeFigures(resultWith({}, {}, { rates })).failedShare).toBeNull();
    expect(computeFigures(resultWith({}, { sent: 5, refused: 5 }, { rates }))).toMatchObject({ failedShare: 1, okPerSecond: 0 });
    const unknown = { ...rates, completedPerSecond: null };
    expect(computeFigures(resultWith({}, { sent: 5, ok: 5 }, { rates: unknown })).okPerSecond).toBeNull();
  });

  it('returns the times and the verdict of the run', () => {
    expect(computeFigures(sampleResult())).toMatchObject({
      p50: 49,
      p95: 74,
      p99: 131,
      errorAdjustedP95: 74,
      outcome: 'passed',
      overloadedSeconds: 4,
    });
  });

  it('counts servers that responded, if the run distinguishes servers', () => {
    const server = (responded: number) => ({ responded }) as RunResult['servers'][number];
    expect(computeFigures(sampleResult()).servers).toBeNull();
    expect(computeFigures(sampleResult({ servers: [server(5), server(0), server(1)] })).servers).toBe(2);
  });

  it('returns the share of cached responses, if some responses report it', () => {
    const cached = (responded: number, fromCache: number, unsaid: number) =>
      computeFigures(sampleResult({ cache: { counted: { responded, fromCache, unsaid } } as NonNullable<RunResult['cache']> })).fromCache;
    expect(computeFigures(sampleResult()).fromCache).toBeNull();
    expect(cached(200, 50, 10)).toBe(0.25);
    expect(cached(200, 0, 200)).toBeNull();
  });
});

describe('decideOutcome', () => {
  const outcomes = (requests: Partial<Requests>): Partial<RunResult> => ({
    outcomes: { ...sampleResult().outcomes, requests: { ...emptyRequestOutcomes(), ...requests } },
  });
  const ended = (changes: Partial<RunResult>) => decideOutcome(sampleResult(changes)).state;

  it('returns “value” if the run reached its end', () => {
    expect(decideOutcome(sampleResult())).toEqual({ state: 'value', reason: null });
  });

  it('returns “refused” if there was no response and connections were refused', () => {
    expect(decideOutcome(sampleResult(outcomes({ sent: 9, refused: 9 })))).toEqual({
      state: 'refused',
      reason: 'The target refused every connection.',
    });
    expect(ended(outcomes({ sent: 9, timeout: 9 }))).toBe('value');
    for (const outcome of ['ok', 'httpError', 'wrongBody']) expect(ended(outcomes({ sent: 9, refused: 8, [outcome]: 1 }))).toBe('value');
  });

  it('returns “aborted” if the run was stopped', () => {
    const run = { ...sampleResult().run, state: 'stopped' as const };
    expect(decideOutcome(sampleResult({ run }))).toMatchObject({ state: 'aborted', reason: expect.any(String) });
  });
});
