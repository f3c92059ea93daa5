import { expect, it } from 'vitest';
import { windowWith } from '#core/testing/windows.ts';
import { GeneratorTally } from './liveGenerators.ts';

it('GeneratorTally: returns figures since the start of the run, and rates of the newest second', () => {
  const tally = new GeneratorTally();
  expect(tally.figures()).toMatchObject({ sent: 0, completedPerSecond: null, p50: null, overloadedSeconds: 0 });
  tally.add(windowWith({ second: 0, ok: [{ count: 9, ms: 20 }], overloadedBy: ['steal'] }));
  expect(tally.figures()).toMatchObject({ sent: 9, ok: 9, completedPerSecond: 9, overloadedSeconds: 1, isOverloaded: true });
  tally.add(windowWith({ second: 1, ok: [{ count: 90, ms: 40 }] }));
  const { p50, ...counts } = tally.figures();
  expect(counts).toMatchObject({ sent: 99, responded: 99, completedPerSecond: 90, overloadedSeconds: 1, isOverloaded: false });
  expect(p50).toBeCloseTo(40, 0);
  // As there is no new window, the cached figures are returned.
  expect(tally.figures()).toBe(tally.figures());
});
