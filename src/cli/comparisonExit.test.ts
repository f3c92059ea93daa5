import { expect, it } from 'vitest';
import { compareSides } from '#core/comparison/compareSides.ts';
import { WHOLE_RUN } from '#core/comparison/comparedRun.ts';
import { runWith } from '#core/comparison/testing/simulated.ts';
import { exitCodeOfComparison } from './comparisonExit.ts';
import { EXIT } from './exitCodes.ts';

const side = (name: string, first: number, p95: number, runs = 5) => ({
  name,
  runs: Array.from({ length: runs }, (_, index) =>
    runWith(first + 2 * index, { figures: [{ scope: WHOLE_RUN, measure: 'p95', value: p95 + index / 10 }] }),
  ),
});

it.each([
  ['a slower side', side('now', 1, 120), 0.05, EXIT.worse],
  ['one within the tolerance', side('now', 1, 103), 0.05, EXIT.fine],
  ['a quicker side', side('now', 1, 80), 0.05, EXIT.fine],
  ['one that is alike', side('now', 1, 100.01), 0, EXIT.fine],
  ['too few runs, however slow', side('now', 1, 900, 4), 0.05, EXIT.inconclusive],
])('the exit code for %s', (_, now, tolerance, expected) => {
  expect(exitCodeOfComparison(compareSides([side('before', 0, 100), now], null), tolerance)).toBe(expected);
});
