import type { Cell } from './window.ts';

/**
 * Converts the waits of a polling step to requests. A wait begins with the first request of a poll and succeeds with the result. Any failed request of the
 * poll ends the wait.
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
