import { describe, expect, it } from 'vitest';
import { sampleResult } from '#core/result/testing/sampleResult.ts';
import { levelOf } from '#core/work/load/stages.ts';
import { arrivals, planWith, stages } from '#core/testing/plans.ts';
import { abTable, maxConcurrency, meanTimePerRequest } from './abTable.ts';

const result = sampleResult();
const { phases, latency } = result;
const connect = { ...latency.service, min: 1, mean: 10, stddev: 2, p50: 9, max: 20 };
const withConnects = (reused: number): ReturnType<typeof abTable> =>
  abTable({ ...result, phases: { ...phases, connect }, requestsOnReusedConnection: reused });
const UNKNOWN_TIMES = { min: null, mean: null, stddev: null, median: null, max: null };

describe('abTable', () => {
  it('counts failures like ApacheBench: other lengths, but not other statuses', () => {
    const requests = {
      ...result.outcomes.requests,
      refused: 1,
      noPort: 2,
      noFile: 4,
      dns: 8,
      tls: 16,
      reset: 32,
      timeout: 64,
      otherError: 128,
      notMade: 256,
    };
    const table = abTable({ ...result, steps: result.steps.map((step) => ({ ...step, requests })) });
    expect(table.failed).toEqual({ connect: 31, receive: 32, length: 6_003, exceptions: 448, total: 6_514 });
    expect(table.complete).toBe(60_008);
    expect(table.non2xx).toBe(8);
  });

  it('uses the counted time, or else the length of the run', () => {
    expect(abTable(result).takenSeconds).toBe(300);
    for (const completedPerSecond of [null, 0])
      expect(abTable({ ...result, rates: { ...result.rates, completedPerSecond } }).takenSeconds).toBe(330.4);
  });

  it('counts 0 ms of connecting for a request on an open connection', () => {
    // A quarter of the requests connected: the mean is 10 ms / 4, the deviation √(0.25 · (4 + 100) − 2.5²).
    const quarter = withConnects(45_006).connect;
    expect(quarter).toMatchObject({ min: 0, mean: 2.5, median: 0, max: 20 });
    expect(quarter.stddev).toBeCloseTo(Math.sqrt(19.75), 9);
    expect(withConnects(15_002).connect).toMatchObject({ min: 0, mean: 7.5, median: 9 });
    expect(withConnects(30_004).connect).toMatchObject({ mean: 5, median: 0 });
    expect(withConnects(0).connect).toEqual({ min: 1, mean: 10, stddev: 2, median: 9, max: 20 });
  });

  it('returns null for values that the driver cannot see', () => {
    const blind = abTable({ ...result, phases: { ...phases, connect: null, firstByte: null } });
    expect(blind.connect).toEqual(UNKNOWN_TIMES);
    expect(blind.processing).toEqual(UNKNOWN_TIMES);
    expect(blind.waiting).toEqual(UNKNOWN_TIMES);
    expect(abTable({ ...result, phases: { ...phases, firstByte: connect } }).waiting.mean).toBe(10);
  });

  it('derives the processing time from the total if connecting took no time, and otherwise only its mean', () => {
    const { min, mean, stddev, p50: median, max } = latency.service;
    expect(withConnects(0).processing).toEqual({ ...UNKNOWN_TIMES, mean: 49.1 });
    const quick = { ...connect, max: 0.49 };
    expect(abTable({ ...result, phases: { ...phases, connect: quick } }).processing).toEqual({ min, mean, stddev, median, max });
    expect(abTable({ ...result, phases: { ...phases, connect: { ...quick, max: 0.5 } } }).processing.min).toBeNull();
  });
});

describe('figures of ApacheBench:', () => {
  it('maxConcurrency is the highest level of a stage, or the maximum in flight for arrivals', () => {
    expect(maxConcurrency(result)).toBe(50);
    const arriving = result.stages.map((stage) => ({
      ...stage,
      level: levelOf({ kind: 'constant', perSecond: 500, seconds: 60, counted: true }),
    }));
    expect(maxConcurrency({ ...result, stages: arriving })).toBe(Math.max(...result.windows.map(({ inFlight }) => inFlight)));
    expect(maxConcurrency({ ...result, stages: arriving, windows: [] })).toBe(0);
  });

  it('meanTimePerRequest is given only for connections without pauses', () => {
    expect(meanTimePerRequest(result)).toBe(250);
    expect(meanTimePerRequest({ ...result, plan: planWith({ load: stages({ connections: 5, seconds: 1 }) }) })).toBe(250);
    expect(
      meanTimePerRequest({ ...result, plan: planWith({ load: arrivals([{ kind: 'constant', perSecond: 5, seconds: 1 }]) }) }),
    ).toBeNull();
    for (const completedPerSecond of [null, 0])
      expect(meanTimePerRequest({ ...result, rates: { ...result.rates, completedPerSecond } })).toBeNull();
  });
});
