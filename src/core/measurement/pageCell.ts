import { createTotalHistogram } from '#core/statistics/histogram.ts';
import type { Cell } from './window.ts';
import { emptyCell, mergeCell } from './windowFold.ts';

/** Maximum number of steps in a plan. Step numbers from this one on stand for something that belongs to a step. */
export const MAX_STEPS = 100_000;
/** Offset of the step numbers for whole pages. With such numbers, pages are judged in the same way as requests. */
const FIRST_PAGE = MAX_STEPS;
/** Step number of the whole pages of all steps together. */
export const ALL_PAGES = FIRST_PAGE - 1;

export function pageStep(step: number): number {
  return FIRST_PAGE + step;
}

/** Offset of the step numbers for visits of a watched page. */
const FIRST_VISIT = 4 * MAX_STEPS;

/** Returns the step number for the visits of the watched page at this index in the plan. */
export function visitStep(page: number): number {
  return FIRST_VISIT + page;
}

/** Returns the index of the watched page of a step number; null for other step numbers. */
export function watchPageBehind(number: number): number | null {
  return number >= FIRST_VISIT ? number - FIRST_VISIT : null;
}

/** Returns the step to which a number for whole pages, events or streams belongs; null for the number of a request. */
export function stepOfSlot(number: number): number | null {
  return number >= MAX_STEPS ? number % MAX_STEPS : null;
}

/**
 * Converts the whole pages of a cell to requests. A complete page is `ok`. An incomplete page counts as `timeout`, an outcome that the
 * target or the generator may have caused. Returns null if the responses are not pages.
 */
export function findPageCell(cell: Cell): Cell | null {
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
    times: { responseOk: page ?? createTotalHistogram() },
  };
}

/** Sums the whole pages of all steps of each stage into cells of {@link ALL_PAGES}. `cells` are those of one window. */
export function listAllPages(cells: readonly Cell[]): Cell[] {
  const sums = new Map<number, Cell>();
  for (const cell of cells) {
    const pages = findPageCell(cell);
    if (pages === null) continue;
    const known = sums.get(cell.stage) ?? emptyCell(cell.stage, ALL_PAGES);
    mergeCell(known, pages, createTotalHistogram);
    sums.set(cell.stage, known);
  }
  return [...sums.values()];
}
