import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Window } from '#core/measurement/window.ts';
import { emptyWindow } from '#core/measurement/windowFold.ts';
import { Aggregator } from './aggregator.ts';

const healthy = { threadCpu: 0.1, threadWait: 0, eventLoopDelayMs: 0, garbageCollectionMs: 0, stoodStillMs: 0 };

function window(second: number, started: number, inFlight = 0): Window {
  const fresh = emptyWindow(second, 1);
  fresh.journeys.started = started;
  fresh.inFlight = inFlight;
  return fresh;
}

function collecting(threads: number): { readonly aggregator: Aggregator<typeof healthy>; readonly out: Window[] } {
  const out: Window[] = [];
  return { aggregator: new Aggregator(threads, (merged) => out.push(merged)), out };
}

describe('Aggregator', () => {
  it('emits each second when all threads have reported it', () => {
    const { aggregator, out } = collecting(2);
    aggregator.add(0, window(0, 1, 5), healthy);
    aggregator.add(0, window(1, 2, 6), healthy);
    expect(out).toEqual([]);
    aggregator.add(1, window(0, 10, 1), healthy);
    expect(out.map(({ second, journeys, inFlight }) => [second, journeys.started, inFlight])).toEqual([[0, 11, 7]]);
  });

  it('does not wait for a silent thread for more than the maximum delay, and still counts all its late windows', () => {
    const { aggregator, out } = collecting(2);
    for (let second = 0; second < 6; second += 1) {
      aggregator.add(0, window(second, 1), healthy);
      aggregator.advance(second + 1);
    }
    expect(out.map(({ second }) => second)).toEqual([0, 1, 2]);
    for (let second = 0; second < 6; second += 1) aggregator.add(1, window(second, 100), healthy);
    expect(out.map(({ second, journeys }) => [second, journeys.started])).toEqual([
      [0, 1],
      [1, 1],
      [2, 1],
      [3, 401],
      [4, 101],
      [5, 101],
    ]);
  });

  it('continues without a lost thread, whose requests stay outstanding', () => {
    const { aggregator, out } = collecting(2);
    aggregator.add(0, window(0, 1, 4), healthy);
    aggregator.add(1, window(0, 1, 3), healthy);
    aggregator.close(1);
    aggregator.add(0, window(1, 1, 2), healthy);
    expect(out.map(({ inFlight }) => inFlight)).toEqual([7, 5]);
  });

  it('emits all windows in order and without gaps, in whatever order they arrive', () => {
    const arrivals = fc.array(fc.tuple(fc.integer({ min: 0, max: 2 }), fc.boolean()), { maxLength: 60 });
    fc.assert(
      fc.property(arrivals, (steps) => {
        const { aggregator, out } = collecting(3);
        const next = [0, 0, 0];
        let total = 0;
        for (const [thread, tick] of steps) {
          if (tick) aggregator.advance(Math.max(...next));
          aggregator.add(thread, window(next[thread] ?? 0, 1), healthy);
          next[thread] = (next[thread] ?? 0) + 1;
          total += 1;
        }
        for (const thread of [0, 1, 2]) aggregator.close(thread);
        expect(out.reduce((sum, { journeys }) => sum + journeys.started, 0)).toBe(total);
        expect(out.map(({ second }) => second)).toEqual(out.map((_, index) => index));
      }),
    );
  });
});
