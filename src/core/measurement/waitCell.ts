import type { Cell } from './window.ts';

/**
 * The waits of a cell whose step polls, each as if it had been one request: it began with its first request, and succeeded when the result came. Any request of a poll
 * that fails ends its wait.
 */
export function waitCellOf(cell: Cell): Cell {
  const { scheduleLag, waited } = cell.times;
  return {
    ...cell,
    started: cell.waitsBegun,
    outcomes: { ...cell.outcomes, ok: waited?.totalCount ?? 0 },
    times: { ...(scheduleLag === undefined ? {} : { scheduleLag }), ...(waited === undefined ? {} : { responseOk: waited }) },
  };
}
