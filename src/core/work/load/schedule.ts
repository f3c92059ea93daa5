import type { Plan } from '#core/plan/schema/plan.ts';
import { arrivalsByStage, type Spacing } from './arrivals.ts';
import { rateCurve, type RateCurve } from './rateCurve.ts';

/**
 * A Poisson schedule has to be walked through to be counted, by everybody who computes it; this many arrivals take about half a second. The plan
 * check refuses longer ones.
 */
export const MAX_POISSON_ARRIVALS = 10_000_000;

/** When the arrivals of a plan are due. */
export interface Schedule {
  readonly curve: RateCurve;
  readonly spacing: Spacing;
  /** How many are due in each stage. */
  readonly perStage: readonly number[];
}

const schedules = new WeakMap<Plan, Schedule>();

/**
 * The schedule of a plan of the model `arrivals`; null for others. Counted once for a plan: a Poisson schedule takes time proportional to its
 * length. One beyond {@link MAX_POISSON_ARRIVALS} is not counted: it has the expected numbers, and no run can begin with it.
 */
export function scheduleOf(plan: Plan): Schedule | null {
  const { load, seed } = plan;
  if (load.model !== 'arrivals') return null;
  const known = schedules.get(plan);
  if (known) return known;
  const curve = rateCurve(load.stages);
  const spacing: Spacing = load.spacing === 'poisson' ? { kind: 'poisson', seed } : { kind: 'uniform' };
  const counted: Spacing = curve.amount > MAX_POISSON_ARRIVALS ? { kind: 'uniform' } : spacing;
  const schedule = { curve, spacing, perStage: arrivalsByStage(curve, counted, load.stages.length) };
  schedules.set(plan, schedule);
  return schedule;
}
