import { describe, expect, it } from 'vitest';
import { roundLevels } from './roundLevels.ts';

/** Ends of rows, six to the decade, as the times of a run are counted. */
const edges = (from: number, rows: number): number[] =>
  Array.from({ length: rows + 1 }, (_, row) => Number((10 ** (from + row / 6)).toPrecision(3)));

describe('roundLevels', () => {
  it('marks 1, 2 and 5 of each decade at their own heights', () => {
    const levels = roundLevels(edges(0, 12));
    expect(levels.map(({ ms }) => ms)).toEqual([1, 2, 5, 10, 20, 50, 100]);
    expect(levels.map(({ row }) => Math.round(10 * row) / 10)).toEqual([0, 1.8, 4.2, 6, 7.8, 10.2, 12]);
  });

  it('marks decades alone where there are many', () => {
    expect(roundLevels(edges(-2 / 3, 26)).map(({ ms }) => ms)).toEqual([1, 10, 100, 1_000]);
  });

  it('marks the ends where nothing round lies between them, and nothing where there are no rows', () => {
    expect(roundLevels([21.5, 31.6])).toEqual([
      { ms: 21.5, row: 0 },
      { ms: 31.6, row: 1 },
    ]);
    expect(roundLevels([])).toEqual([]);
    expect(roundLevels([5])).toEqual([]);
  });
});
