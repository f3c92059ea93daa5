import { amountBefore, rateAt, rateCurve, type RateCurve } from '#core/load/rateCurve.ts';
import type { Plan } from '#core/plan/schema.ts';
import type { Span } from '../charts/types.ts';

/**
 * Requests per second that the plan wants over each span, from the integral of its rate: each arrival sends as many as a journey has
 * steps. null for models whose rate follows from the answers.
 */
export function plannedRates({ load, journey }: Plan, spans: readonly Span[]): number[] | null {
  const curve = curveOf(load);
  if (curve === null) return null;
  return spans.map(({ second, width }) => ((amountBefore(curve, second + width) - amountBefore(curve, second)) * journey.length) / width);
}

/** Arrivals per second that the plan wants at a second of the run; null for other models. */
export function plannedRateAt({ load }: Plan, second: number): number | null {
  const curve = curveOf(load);
  return curve && rateAt(curve, second);
}

const curves = new WeakMap<Plan['load'], RateCurve>();

/** Made once for each plan: a live view asks several times a second. */
function curveOf(load: Plan['load']): RateCurve | null {
  if (load.model !== 'arrivals') return null;
  const made = curves.get(load) ?? rateCurve(load.stages);
  curves.set(load, made);
  return made;
}
