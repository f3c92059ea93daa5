import { requestsPerJourney } from '#core/work/journey/flow/takings.ts';
import { amountBefore, rateAt, rateCurve, stageAt, type RateCurve } from '#core/work/load/rateCurve.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Span } from './types.ts';

/**
 * Requests per second that the plan wants over each span, from the integral of its rate: each arrival sends as many as its journey makes on
 * average. null for models whose rate follows from the answers, and where nothing says how many a journey makes.
 */
export function plannedRates(plan: Plan, spans: readonly Span[]): number[] | null {
  const curve = curveOf(plan.load);
  if (curve === null) return null;
  const perJourney = plan.load.stages.map((_, stage) => requestsPerJourney(plan, stage).mean);
  if (perJourney.includes(null)) return null;
  return spans.map(({ second, width }) => {
    const journeys = amountBefore(curve, second + width) - amountBefore(curve, second);
    return (journeys * (perJourney[stageAt(curve, second + width / 2)] ?? 1)) / width;
  });
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
