import { formatCount } from '#core/base/units.ts';
import { recordedRequests } from '#core/plan/requests.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

/** A table of more rows than this fills pages and is read by nobody. */
export const MOST_ROWS = 40;
/** Of what pages link to, so many rows are exceptions. */
const MOST_EXCEPTIONS = 10;

export interface ShownRows<Row> {
  readonly shown: readonly Row[];
  /** That others were left out, and where they are; empty where none was. */
  readonly note: string;
}

/**
 * The rows of steps that a table shows: all of a few. Of many, those of the plan's own steps, and of what they lead to (redirects, style sheets, images …)
 * the ten that stand out most: `weight` says how much, 0 not at all.
 */
export function exceptionalRows<Row extends { readonly name: string }>(
  plan: Pick<Plan, 'journey'>,
  rows: readonly Row[],
  weight: (row: Row) => number,
  which: string,
): ShownRows<Row> {
  if (rows.length <= MOST_ROWS) return { shown: rows, note: '' };
  const linked = new Set(
    recordedRequests(plan).flatMap(({ name, isRedirect, resource }) => (isRedirect || resource !== null ? [name] : [])),
  );
  const exceptions = new Set(
    rows
      .filter((row) => linked.has(row.name) && weight(row) > 0)
      .toSorted((one, other) => weight(other) - weight(one))
      .slice(0, MOST_EXCEPTIONS),
  );
  const shown = rows.filter((row) => !linked.has(row.name) || exceptions.has(row));
  const leftOut = rows.length - shown.length;
  return {
    shown,
    note: leftOut === 0 ? '' : `Of redirects and linked files, ${which} are shown. ${formatCount(leftOut)} more are in the result as JSON.`,
  };
}
