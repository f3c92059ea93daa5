import { formatCount } from '#core/base/units.ts';
import { recordedRequests } from '#core/plan/requests.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

/** Maximum number of rows of a readable table. */
export const MAX_ROWS = 40;
/** Maximum number of rows for redirects and linked files. */
const MAX_EXCEPTIONS = 10;

export interface ShownRows<Row> {
  readonly shown: readonly Row[];
  /** Says that rows were left out and where they are; empty if all are shown. */
  readonly note: string;
}

/**
 * Selects the rows of a table of steps. A short table has all rows. A long one has the steps of the plan, and the ten redirects and linked files with the
 * highest `weight`. Rows with weight 0 are not exceptions.
 */
export function exceptionalRows<Row extends { readonly name: string }>(
  plan: Pick<Plan, 'journey'>,
  rows: readonly Row[],
  weight: (row: Row) => number,
  which: string,
): ShownRows<Row> {
  if (rows.length <= MAX_ROWS) return { shown: rows, note: '' };
  const linked = new Set(
    recordedRequests(plan).flatMap(({ name, isRedirect, resource }) => (isRedirect || resource !== null ? [name] : [])),
  );
  const exceptions = new Set(
    rows
      .filter((row) => linked.has(row.name) && weight(row) > 0)
      .toSorted((one, other) => weight(other) - weight(one))
      .slice(0, MAX_EXCEPTIONS),
  );
  const shown = rows.filter((row) => !linked.has(row.name) || exceptions.has(row));
  const leftOut = rows.length - shown.length;
  return {
    shown,
    note: leftOut === 0 ? '' : `Of redirects and linked files, ${which} are shown. ${formatCount(leftOut)} more are in the result as JSON.`,
  };
}
