import { describe, expect, it } from 'vitest';
import type { Window } from '#core/measurement/window.ts';
import { planWith } from '#core/testing/plans.ts';
import { emptyCell, emptyWindow } from '#core/measurement/windowFold.ts';
import { overloadCauses } from './selfWatch.ts';

const healthy = {
  second: 0,
  threadCpu: 0.9,
  threadWait: 0.25,
  machineCpu: 1,
  steal: 0.02,
  eventLoopDelayMs: 20,
  scheduleLagMs: null,
  garbageCollectionMs: 500,
  stoodStillMs: 0,
  memoryBytes: 1,
  openFiles: 1,
  timeWaitSockets: 1,
  sockets: null,
  watched: {},
};

const plan = planWith();

function windowWith(outcomes: Window['cells'][number]['outcomes']): Window {
  return { ...emptyWindow(0, 1), cells: [{ ...emptyCell(0, 0), outcomes }] };
}

describe('overloadCauses', () => {
  it('reports nothing if all values are at their limits', () => {
    expect(overloadCauses(healthy, windowWith({ ok: 5, refused: 3 }), plan)).toEqual([]);
  });

  it('reports nothing for unknown values', () => {
    expect(overloadCauses({ ...healthy, threadCpu: null, steal: null, eventLoopDelayMs: null }, emptyWindow(0, 1), plan)).toEqual([]);
  });

  it.each([
    [{ threadCpu: 0.91 }, 'threadCpu'],
    [{ threadWait: 0.26 }, 'threadWait'],
    [{ eventLoopDelayMs: 20.1 }, 'eventLoopDelay'],
    [{ steal: 0.021 }, 'steal'],
    [{ stoodStillMs: 1 }, 'standstill'],
  ] as const)('reports for %o: %s', (change, cause) => {
    expect(overloadCauses({ ...healthy, ...change }, emptyWindow(0, 1), plan)).toEqual([cause]);
  });

  it('reports an event loop delay of more than half of the tightest time limit, if it is at least 5 ms', () => {
    const of = (eventLoopDelayMs: number, maxMs: number): string[] =>
      overloadCauses(
        { ...healthy, eventLoopDelayMs },
        emptyWindow(0, 1),
        planWith({ criteria: [{ kind: 'responseTime', percentile: 95, maxMs }] }),
      );
    expect([of(7.5, 15), of(7.6, 15), of(5, 2), of(5.1, 2), of(20, 1_000), of(20.1, 1_000)]).toEqual([
      [],
      ['eventLoopDelay'],
      [],
      ['eventLoopDelay'],
      [],
      ['eventLoopDelay'],
    ]);
  });

  it('reports a schedule lag of more than a tenth of the tightest time limit, if it is at least 2 ms', () => {
    const of = (scheduleLagMs: number, ...limitsMs: number[]): string[] =>
      overloadCauses(
        { ...healthy, eventLoopDelayMs: 0, scheduleLagMs },
        emptyWindow(0, 1),
        planWith({ criteria: limitsMs.map((maxMs) => ({ kind: 'responseTime', percentile: 95, maxMs })) }),
      );
    expect([of(50, 500, 800), of(50.1, 500, 800), of(2, 10), of(2.1, 10), of(20), of(20.1)]).toEqual([
      [],
      ['scheduleLag'],
      [],
      ['scheduleLag'],
      [],
      ['scheduleLag'],
    ]);
  });

  it('reports that ports or file descriptors are exhausted', () => {
    expect(overloadCauses(healthy, windowWith({ noPort: 1, noFile: 1 }), plan)).toEqual(['noPort', 'noFile']);
  });
});
