import { describe, expect, it } from 'vitest';
import { emptyWindow } from '#core/measurement/windowFold.ts';
import { planWith } from '#core/testing/plans.ts';
import { journeysNotStarted, LoadTally, stageSpans } from './loadTally.ts';

describe('LoadTally', () => {
  it('keeps only the first reason to end, and reports the beginning of each stage once', () => {
    const tally = new LoadTally();
    expect(tally.end({ reason: 'stopped', problem: null })).toBe(true);
    expect(tally.end({ reason: 'failed', problem: null })).toBe(false);
    expect(tally.ending?.reason).toBe('stopped');
    expect([tally.drain(), tally.drain()]).toEqual([true, false]);
    expect([tally.beginStage(0), tally.beginStage(1), tally.beginStage(0)]).toEqual([true, true, false]);
  });

  it('carries outstanding requests and side calls over to seconds without a report', () => {
    const tally = new LoadTally();
    const journeys = { ...emptyWindow(4, 1).journeys, started: 5, notStartedTarget: 2, notStartedGenerator: 1, notStartedStopped: 9 };
    tally.add({ ...emptyWindow(4, 1), journeys, inFlight: 3, side: { cells: [], inFlight: 2 } });
    expect(tally.journeysSettled).toBe(8);
    expect(tally.emptyNextWindow()).toEqual({ ...emptyWindow(5, 1), inFlight: 3, side: { cells: [], inFlight: 2 } });
  });

  it.each([
    { stage: { connections: 2, requests: 10 }, isCompleted: true, missing: 0 },
    { stage: { connections: 2, requests: 10 }, isCompleted: false, missing: 3 },
    { stage: { connections: 2, seconds: 5 }, isCompleted: false, missing: 0 },
  ] as const)('counts $missing journeys as not started; load completed: $isCompleted', ({ stage, isCompleted, missing }) => {
    const plan = planWith({ load: { model: 'connections', stages: [stage] } });
    expect(journeysNotStarted(plan, 7, isCompleted)).toBe(missing);
  });
});

describe('stageSpans', () => {
  const times = [
    { fromSecond: 0, toSecond: 10 },
    { fromSecond: 12, toSecond: null },
    { fromSecond: 20, toSecond: null },
  ];

  it('ends a span at the end of the stage, at the start of the next stage or at the end of the load', () => {
    const spans = [
      { startedAtSecond: 0, endedAtSecond: 10 },
      { startedAtSecond: 12, endedAtSecond: 20 },
      { startedAtSecond: 20, endedAtSecond: 25 },
    ];
    expect(stageSpans(times, 25)).toEqual(spans);
    expect(stageSpans(times, 11)).toEqual(spans.slice(0, 1));
  });

  it('always includes the first stage', () => {
    expect(stageSpans([{ fromSecond: 3, toSecond: null }], 1)).toEqual([{ startedAtSecond: 1, endedAtSecond: 1 }]);
  });
});
