import type { Plan } from '#core/plan/schema/plan.ts';
import { newDistribution } from '#core/result/buildDistribution.ts';
import type { Distribution } from '#core/result/distribution.ts';
import type { Window } from '#core/measurement/window.ts';
import { inTurns } from './inTurns.ts';

/** How the times of a run are spread. An hour of histograms takes seconds to read, so everything else has its turn between slices of it. */
export async function readDistribution(plan: Plan, slices: Iterable<readonly Window[]>): Promise<Distribution> {
  const distribution = newDistribution(plan);
  for await (const slice of inTurns(slices)) for (const window of slice) distribution.add(window);
  return distribution.end();
}
