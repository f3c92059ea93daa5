import type { Plan } from '../plan/schema.ts';
import { expandSeries } from '../series/cells.ts';
import type { Series } from '../series/schema.ts';

/** The plan that a search is made of: one server at one time. Of a series, its first cell that can be. */
export function planOfStudy(plan: Plan, series: Series | null): { readonly plan: Plan; readonly variant: string | null } {
  if (series === null) return { plan, variant: null };
  const first = expandSeries({ plan, series }).cells.find(({ problem }) => problem === null);
  return first === undefined ? { plan, variant: null } : { plan: first.plan, variant: first.variant };
}
