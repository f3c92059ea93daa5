import { diceFor } from '../framework/dice.ts';
import type { Cell } from './cells.ts';

/** Duration of a cell on two cores in seconds, including the start of the practice server. */
export const CELL_SECONDS = 12;
const DAY_MS = 86_400_000;
/** Maximum number of cells per test. Each test also runs once without a break, so fewer tests leave more time for cells. */
const MAX_CELLS_OF_A_TEST = 3;

/** Draws this many cells, at most three per test. The seed determines which ones are drawn. */
export function drawCells(cells: readonly Cell[], count: number, seed: number): readonly Cell[] {
  const dice = diceFor(seed, 'breaks');
  const remainingCells = [...cells];
  const drawn = new Set<Cell>();
  while (drawn.size < count && remainingCells.length > 0) {
    const test = remainingCells[dice.whole(0, remainingCells.length - 1)]?.test;
    const ofTest = remainingCells.filter((cell) => cell.test === test);
    for (let number = 0; number < MAX_CELLS_OF_A_TEST && drawn.size < count && ofTest.length > 0; number += 1)
      for (const cell of ofTest.splice(dice.whole(0, ofTest.length - 1), 1)) drawn.add(cell);
    for (const cell of drawn) if (remainingCells.includes(cell)) remainingCells.splice(remainingCells.indexOf(cell), 1);
  }
  return cells.filter((cell) => drawn.has(cell));
}

/** Returns the cells of a day (UTC), as many as fit into a time limit. The selection moves on each day, so that every cell has its turn. */
export function cellsOfDay(
  cells: readonly Cell[],
  limitSeconds: number,
  nowMs: number,
): { readonly number: number; readonly of: number; readonly cells: readonly Cell[] } {
  const size = Math.max(1, Math.floor(limitSeconds / CELL_SECONDS));
  const of = Math.max(1, Math.ceil(cells.length / size));
  const number = Math.floor(nowMs / DAY_MS) % of;
  return { number: number + 1, of, cells: cells.slice(number * size, (number + 1) * size) };
}
