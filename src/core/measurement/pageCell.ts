import { newTotalHistogram } from '#core/statistics/histogram.ts';
import type { Cell } from './window.ts';
import { emptyCell, mergeCell } from './windowFold.ts';

/** Plans have fewer steps: above it, numbers stand for something that belongs to one of them. */
export const STEPS_APART = 100_000;
/** Numbers of steps from here on stand for their whole pages where the two are judged alike. */
const FIRST_PAGE = STEPS_APART;
/** Stands for the whole pages of all steps together. */
export const ALL_PAGES = FIRST_PAGE - 1;

export function pageStep(step: number): number {
  return FIRST_PAGE + step;
}

/** Numbers of steps from here on stand for visits of a watched page: apart from steps that number pages, events and streams. */
const FIRST_VISIT = 4 * STEPS_APART;

/** Stands for the visits of the watched page of that place in the plan. */
export function visitStep(page: number): number {
  return FIRST_VISIT + page;
}

/** The watched page whose visits a number stands for; null for anything else. */
export function watchPageBehind(number: number): number | null {
  return number >= FIRST_VISIT ? number - FIRST_VISIT : null;
}

/** The step whose whole pages, events or streams a number stands for; null for a kind of request. */
export function stepBehind(number: number): number | null {
  return number >= STEPS_APART ? number % STEPS_APART : null;
}

/**
 * The whole pages of a cell, as if each had been one request: a complete one is good, and one of which something failed may have failed by
 * whosever fault. null where the answers are no pages.
 */
export function pageCellOf(cell: Cell): Cell | null {
  const { page, pageFailed } = cell.times;
  if (page === undefined && pageFailed === undefined) return null;
  const complete = page?.totalCount ?? 0;
  const failed = pageFailed?.totalCount ?? 0;
  return {
    ...emptyCell(cell.stage, pageStep(cell.step)),
    started: complete + failed,
    outcomes: { ok: complete, timeout: failed },
    notStartedTarget: cell.notStartedTarget,
    notStartedGenerator: cell.notStartedGenerator,
    times: { responseOk: page ?? newTotalHistogram() },
  };
}

/** The whole pages of all steps of each stage together, as cells of {@link ALL_PAGES}. `cells` are those of one window. */
export function allPagesOf(cells: readonly Cell[]): Cell[] {
  const sums = new Map<number, Cell>();
  for (const cell of cells) {
    const pages = pageCellOf(cell);
    if (pages === null) continue;
    const known = sums.get(cell.stage) ?? emptyCell(cell.stage, ALL_PAGES);
    mergeCell(known, pages, newTotalHistogram);
    sums.set(cell.stage, known);
  }
  return [...sums.values()];
}
