import type { Window } from '#core/measurement/window.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { type Distribution, createDistributionCollector } from '../distribution.ts';

/** Returns the distribution of the given windows. */
export function makeDistribution(plan: Plan, windows: Iterable<Window>): Distribution {
  const distribution = createDistributionCollector(plan);
  for (const window of windows) distribution.add(window);
  return distribution.end();
}
