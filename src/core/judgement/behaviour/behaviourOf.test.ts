import { describe, expect, it } from 'vitest';
import type { EarlyResponse, Window } from '#core/measurement/window.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import type { Behaviour } from '#core/result/behaviour.ts';
import { runHead } from '#core/result/testing/runHead.ts';
import { arrivals, planWith, users } from '#core/testing/plans.ts';
import { repeatedWindows, windowWith, type WindowFacts } from '#core/testing/windows.ts';
import { buildResult } from '../buildResult.ts';
import { endBySeconds } from '../verdict/testing/judged.ts';

function describeBehaviour(changes: Partial<PlanInput>, windows: readonly Window[]): Behaviour {
  const plan = planWith(changes);
  const { behaviour } = buildResult({ head: runHead, plan, windows, end: endBySeconds(plan), generators: [], events: [] });
  if (behaviour === null) throw new Error('a behaviour');
  return behaviour;
}

/** Returns a window whose first responses are stored individually. */
const withEarly = (facts: WindowFacts, early: readonly EarlyResponse[]): Window => {
  const window = windowWith(facts);
  return { ...window, cells: window.cells.map((cell) => ({ ...cell, early: [...early] })) };
};
const responses = (startSecond: number, responseMs: readonly number[]): EarlyResponse[] =>
  responseMs.map((ms, index) => ({ startUs: startSecond * 1_000_000 + index, responseUs: ms * 1_000, ok: true }));

const burst = { kind: 'count' as const, arrivals: 5, seconds: 1 };
const pause = { kind: 'pause' as const, seconds: 2 };
/** A load whose bursts begin at seconds 0, 3 and 6. */
const bursts = { load: arrivals([burst, pause, burst, pause, burst]) };
const steady = { load: arrivals([{ name: 'steady', kind: 'constant', perSecond: 10, seconds: 10 }]) };

describe('bursts of a run', () => {
  const run = (firstMs: readonly number[], failed = 0) =>
    describeBehaviour(bursts, [
      withEarly({ stage: 0, second: 0, ok: [{ count: 5, ms: 10 }] }, responses(0, firstMs)),
      withEarly(
        { stage: 2, second: 3, ok: [{ count: 8 - failed, ms: 10 }], failed: { httpError: failed } },
        responses(3, Array(8).fill(10)),
      ),
      withEarly({ stage: 4, second: 6, ok: [{ count: 5, ms: 10 }] }, responses(6, [10, 10, 10, 10, 10])),
    ]).bursts;

  it('are good without failures, and finished if all requests ended before the next burst', () => {
    expect(run([10, 10, 10, 10, 2_999])).toEqual({ largestGood: 8, smallestBad: null, drained: true });
    expect(run([10, 10, 10, 10, 3_001])?.drained).toBe(false);
  });

  it('are bad from the first failure on', () => {
    expect(run([10, 10, 10, 10, 10], 1)).toEqual({ largestGood: 5, smallestBad: 8, drained: true });
  });

  it('are finished or not by the number in flight in the last second before the next burst, if there are too many responses to store', () => {
    const large = (inFlight: number) =>
      describeBehaviour(bursts, [
        windowWith({ stage: 0, second: 0, ok: [{ count: 5_000, ms: 10 }], inFlight: 900 }),
        windowWith({ stage: 0, second: 2, inFlight }),
        windowWith({ stage: 2, second: 3, ok: [{ count: 5_000, ms: 10 }], inFlight: 800 }),
        windowWith({ stage: 2, second: 5, inFlight: 0 }),
        windowWith({ stage: 4, second: 6, ok: [{ count: 5_000, ms: 10 }], inFlight: 700 }),
      ]).bursts?.drained;
    expect([large(0), large(1)]).toEqual([true, false]);
  });

  it('have no recovery and no capacity, but may have queues', () => {
    const behaviour = describeBehaviour(bursts, [
      withEarly({ stage: 0, second: 0, ok: [{ count: 5, ms: 10 }] }, responses(0, [10, 20, 30, 40, 50])),
    ]);
    expect(behaviour).toMatchObject({ recoveries: [], capacity: null });
    expect(behaviour.queues.map(({ stage, step, sent, responses: known }) => [stage, step, sent, known])).toEqual([
      ['stage 1', 'page', 5, 5],
    ]);
  });
});

describe('describeBehaviour', () => {
  const windows = repeatedWindows(10, { ok: [{ count: 10, ms: 20 }] });

  it('reports queues and a capacity for arrivals with one step', () => {
    const behaviour = describeBehaviour(steady, windows);
    expect(behaviour.bursts).toBeNull();
    expect(behaviour.queues.map(({ stage, sent }) => [stage, sent])).toEqual([['steady', 100]]);
    expect(describeBehaviour({ ...steady, journey: [{ name: 'a' }, { name: 'b' }] }, windows).capacity).toBeNull();
  });

  it('does not report “no queue” if response times grew several-fold', () => {
    const [first, ...others] = windows;
    if (first === undefined) throw new Error('no window');
    const begun = withEarly({ ok: [{ count: 10, ms: 20 }] }, responses(0, Array<number>(10).fill(20)));
    const findQueue = (ms: number) =>
      describeBehaviour(steady, [
        begun,
        ...others.map(({ second }) => windowWith({ second, ok: [{ count: 10, ms: second < 5 ? 20 : ms }] })),
      ]).queues[0];
    expect(findQueue(20)?.queues).toBe(false);
    expect(findQueue(540)).toMatchObject({
      queues: null,
      reason: 'The first responses showed none, but the median grew from 20 ms to 540 ms.',
    });
  });

  it('reports no queues for users or connections, which wait for responses', () => {
    expect(describeBehaviour({}, windows)).toMatchObject({ queues: [], bursts: null, recoveries: [], capacity: null });
    expect(describeBehaviour({ load: users([{ users: 5, seconds: 10 }]) }, windows)).toMatchObject({
      queues: [],
      bursts: null,
      capacity: null,
    });
  });

  it('reports the first responses of each step that was sent', () => {
    const journey = [{ name: 'a' }, { name: 'b' }, { name: 'never' }];
    const both = [...windows, ...repeatedWindows(10, { step: 1, ok: [{ count: 10, ms: 20 }] })];
    expect(describeBehaviour({ ...steady, journey }, both).firstResponses.map(({ step }) => step)).toEqual(['a', 'b']);
  });

  it('reports groups of times for stages with a constant load', () => {
    const apart = repeatedWindows(10, {
      ok: [
        { count: 50, ms: 20 },
        { count: 50, ms: 900 },
      ],
    });
    const groups = (load: PlanInput['load']) =>
      describeBehaviour({ load }, apart).groups?.map(({ stage, step, responses: found }) => [stage, step, found.length]);
    expect(groups(steady.load)).toEqual([['steady', 'page', 2]]);
    expect(groups(arrivals([{ kind: 'ramp', fromPerSecond: 1, toPerSecond: 20, seconds: 10 }]))).toEqual([]);
    expect(describeBehaviour(steady, windows).groups).toEqual([]);
  });
});
