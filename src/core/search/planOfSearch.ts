import { expandSeries } from '#core/series/cells.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Series } from '#core/plan/schema/series.ts';

/** Returns the plan of a search. For a series, it is the first cell that can run. */
export function planOfSearch(plan: Plan, series: Series | null): { readonly plan: Plan; readonly variant: string | null } {
  if (series === null) return { plan, variant: null };
  const first = expandSeries({ plan, series }).cells.find(({ problem }) => problem === null);
  return first === undefined ? { plan, variant: null } : { plan: first.plan, variant: first.variant };
}
