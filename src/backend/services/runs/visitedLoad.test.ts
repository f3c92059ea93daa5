import { expect, it } from 'vitest';
import type { GeneratorReading } from '#core/result/schema.ts';
import { windowWith } from '#core/testing/windows.ts';
import type { Window } from '#core/measurement/window.ts';
import { unknownReading } from '#core/result/readings.ts';
import type { EngineSink } from '#engine/engine.ts';
import { type PreparedLoad, markVisitedSeconds } from './loadGenerator.ts';

/** A load that reports three seconds at once, one of them overloaded. */
const load = {
  attach(sink: EngineSink) {
    for (const [second, overloadedBy] of [
      [0, []],
      [1, ['steal' as const]],
      [2, []],
    ] as const)
      sink.onWindow(windowWith({ second, overloadedBy }), { ...unknownReading(second), overloadedBy: [...overloadedBy] });
  },
} as unknown as PreparedLoad;

it('markVisitedSeconds marks the seconds in which a browser took processor time, in both the window and the reading', () => {
  const reported: [Window, GeneratorReading][] = [];
  const listening = { onWindow: (window: Window, reading: GeneratorReading) => void reported.push([window, reading]) } as EngineSink;
  markVisitedSeconds(load, { isTaken: (second) => second < 2 }).attach(listening);
  expect(reported.map(([{ second, overloadedBy }, reading]) => [second, overloadedBy, reading.overloadedBy])).toEqual([
    [0, ['browser'], ['browser']],
    [1, ['steal', 'browser'], ['steal', 'browser']],
    [2, [], []],
  ]);
});
