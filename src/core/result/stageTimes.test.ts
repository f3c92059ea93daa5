import { describe, expect, it } from 'vitest';
import { windowWith } from '#core/testing/windows.ts';
import { StartTimes, timeOf } from './stageTimes.ts';

describe('load time of a stage', () => {
  it('is taken from the windows between its first and last request', () => {
    const starts = new StartTimes();
    for (const second of [1, 3]) starts.add(windowWith({ second, width: 2, ok: [{ count: 3, ms: 5 }] }));
    starts.add(windowWith({ second: 5 }));
    expect(starts.of(0)).toEqual({ from: 1, to: 5 });
    expect(starts.of(1)).toBeNull();
  });

  it('is read from a result, if the stage was reached', () => {
    expect(timeOf({ startedAtSecond: 1.5, endedAtSecond: 4 })).toEqual({ from: 1.5, to: 4 });
    expect(timeOf({ startedAtSecond: null, endedAtSecond: null })).toBeNull();
    expect(timeOf(undefined)).toBeNull();
  });
});
