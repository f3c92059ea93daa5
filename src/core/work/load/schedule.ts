import type { Plan } from '#core/plan/schema/plan.ts';
import { arrivalsByStage, type Spacing } from './arrivals.ts';
import { rateCurve, type RateCurve } from './rateCurve.ts';

/** Maximum length of a Poisson schedule. Counting one requires iteration; this many arrivals take about 0.5 s. The plan check rejects longer schedules. */
export const MAX_POISSON_ARRIVALS = 10_000_000;

/** Schedule of the arrivals of a plan. */
export interface Schedule {
  readonly curve: RateCurve;
  readonly spacing: Spacing;
  /** Number of arrivals per stage. */
  readonly perStage: readonly number[];
}

const schedules = new WeakMap<Plan, Schedule>();

/**
 * Returns the schedule of a plan with the model `arrivals`, else null. It is cached, because counting a Poisson schedule takes time in proportion to its
 * length. Beyond {@link MAX_POISSON_ARRIVALS} it has expected numbers, and no run can start with it.
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
