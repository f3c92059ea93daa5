import { describe, expect, it } from 'vitest';
import type { LiveSnapshot } from '#contract/replies.ts';
import type { Point } from '#core/result/schema.ts';
import { samplePoint } from '#core/testing/points.ts';
import { isStopping, valuesOfLastSeconds, mergePoints, mergeLive, stateSentence } from './picture.ts';
import { sampleLive, sampleRequests } from './testing/live.ts';

const update = (points: Point[], changes: Partial<LiveSnapshot> = {}): LiveSnapshot => sampleLive({ points, ...changes });
const seconds = (points: readonly Point[]): number[] => points.map(({ second }) => second);

describe('mergeLive', () => {
  it('merges updates', () => {
    const first = mergeLive(undefined, update([samplePoint(0), samplePoint(1)]));
    const second = mergeLive(first, update([samplePoint(2)], { events: [{ second: 2, kind: 'note', text: 'x' }] }));
    expect(seconds(second.points)).toEqual([0, 1, 2]);
    expect(second.events).toHaveLength(1);
  });

  it('keeps the same array of points if an update has no points, so that charts are not redrawn', () => {
    const first = mergeLive(undefined, update([samplePoint(0)]));
    expect(mergeLive(first, update([])).points).toBe(first.points);
  });

  it('keeps the points of each load generator separate', () => {
    const point = (generator: number, second: number) => ({
      generator,
      second,
      width: 1,
      completed: 1,
      bytesReceived: 0,
      p50: null,
      p90: null,
    });
    const first = mergeLive(undefined, update([], { generatorPoints: [point(1, 0)] }));
    const second = mergeLive(first, update([], { generatorPoints: [point(0, 0), point(1, 1)] }));
    expect(second.generators.map((points) => points.map((one) => one.second))).toEqual([[0], [0, 1]]);
    expect(second.generators[0]).toEqual([{ second: 0, width: 1, completed: 1, bytesReceived: 0, p50: null, p90: null }]);
    expect(mergeLive(second, update([])).generators).toBe(second.generators);
  });

  it('starts over and counts a resync if points were dropped', () => {
    const first = mergeLive(undefined, update([samplePoint(0), samplePoint(1)]));
    const second = mergeLive(first, update([samplePoint(900)], { resync: true }));
    expect(seconds(second.points)).toEqual([900]);
    expect(second.resyncs).toBe(1);
  });
});

describe('mergePoints', () => {
  it('replaces older points by newer points of the same seconds', () => {
    const merged = mergePoints([samplePoint(0), samplePoint(1, { completed: 1 })], [samplePoint(1, { completed: 9 }), samplePoint(2)]);
    expect(merged.map(({ completed }) => completed)).toEqual([100, 9, 100]);
  });
});

describe('valuesOfLastSeconds', () => {
  it('returns one value for each second, and null where none was measured', () => {
    const points = [samplePoint(0, { inFlight: 1 }), samplePoint(3, { inFlight: 4 })];
    expect(valuesOfLastSeconds(points, 60, ({ inFlight }) => inFlight)).toEqual([1, null, null, 4]);
  });

  it('returns at most the requested number of seconds', () => {
    const points = Array.from({ length: 100 }, (_, second) => samplePoint(second, { inFlight: second }));
    expect(valuesOfLastSeconds(points, 3, ({ inFlight }) => inFlight)).toEqual([97, 98, 99]);
  });
});

const liveWith = (run: Partial<LiveSnapshot['run']>, inFlight = 12): LiveSnapshot => {
  const sample = sampleLive();
  return sampleLive({
    run: { ...sample.run, ...run },
    outcomes: { ...sample.outcomes, requests: sampleRequests({ sent: inFlight, inFlight }) },
  });
};
const USER_STOP = { code: 'user', text: 'You stopped it.' } as const;

describe('stateSentence', () => {
  it('reports the outstanding responses after a stop', () => {
    expect(stateSentence(liveWith({ endedBecause: USER_STOP }))).toBe('Stopping: waiting for 12 outstanding responses.');
    expect(stateSentence(liveWith({ endedBecause: USER_STOP }, 1))).toBe('Stopping: waiting for 1 outstanding response.');
  });

  it('reports the outstanding responses while draining', () => {
    expect(stateSentence(liveWith({ state: 'draining' }))).toContain('12 outstanding responses');
    expect(stateSentence(liveWith({ state: 'draining' }, 0))).not.toContain('0');
  });

  it('is empty while the test runs normally', () => {
    expect(stateSentence(liveWith({}))).toBe('');
  });
});

describe('isStopping', () => {
  it('is true from the request to stop until the end of the run', () => {
    expect(isStopping(liveWith({}))).toBe(false);
    expect(isStopping(liveWith({ endedBecause: USER_STOP }))).toBe(true);
    expect(isStopping(liveWith({ endedBecause: USER_STOP, endedAt: '2026-01-01T00:01:00.000Z' }))).toBe(false);
  });
});
