import { secondsOf, countUncountedSeconds } from '#core/work/load/stages.ts';
import { stageName } from '#core/plan/names.ts';
import { listCriteria } from '#core/plan/criteria.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { formatCount, formatMs, formatNumber } from '#core/base/units.ts';
import { requestsPerJourney } from '#core/work/journey/flow/takings.ts';
import { amountBefore, rateAt, rateCurve, type RateCurve, stageAt } from '#core/work/load/rateCurve.ts';
import type { Point } from '#core/result/schema.ts';
import { findBreaches } from './breaches.ts';
import type { Limit, Span, StageBand } from './types.ts';
import { chartNames } from './names.ts';

interface LimitsOfRun {
  readonly throughput: readonly Limit[];
  readonly latency: readonly Limit[];
}

/** Returns the limits of throughput and latency, each value once, with the seconds that violate them. */
export function listLimits(plan: Plan, points: readonly Point[] = [], stages: readonly StageBand[] = []): LimitsOfRun {
  const throughput = new Map<number, Limit>();
  const latency = new Map<number, Limit>();
  for (const criterion of listCriteria(plan)) {
    const breaches = points.length === 0 ? null : findBreaches(criterion, points, stages);
    const add = (limits: Map<number, Limit>, value: number, label: string): void => {
      const before = limits.get(value);
      if (before?.breaches === undefined) limits.set(value, { value, label, ...(breaches === null ? {} : { breaches }) });
    };
    if (criterion.kind === 'throughput')
      add(throughput, criterion.minPerSecond, chartNames.atLeast(`${formatNumber(criterion.minPerSecond)}/s`));
    if (criterion.kind === 'responseTime' && criterion.of !== 'visits')
      add(latency, criterion.maxMs, chartNames.limit(formatMs(criterion.maxMs)));
  }
  return { throughput: [...throughput.values()], latency: [...latency.values()] };
}

/** Maximum ratio of a limit to the values. A higher limit would flatten them. */
const MAX_LIMIT_RATIO = 10;

/** Returns the maximum in flight if the plan limits it and the points come near it. */
export function waitingLimits({ load }: Plan, points: readonly Pick<Point, 'inFlight'>[]): readonly Limit[] {
  if (load.model !== 'arrivals') return [];
  if (points.every(({ inFlight }) => inFlight * MAX_LIMIT_RATIO < load.maxInFlight)) return [];
  return [{ value: load.maxInFlight, label: chartNames.atMost(formatCount(load.maxInFlight)) }];
}

/** Returns the planned times of the stages, up to the first stage that ends by requests. */
export function listPlannedStages(plan: Plan): StageBand[] {
  const bands: StageBand[] = [];
  let from = 0;
  for (const [index, stage] of plan.load.stages.entries()) {
    const seconds = secondsOf(stage);
    if (seconds === null) break;
    const counting = from + countUncountedSeconds(stage);
    if (counting > from) bands.push({ name: chartNames.startUp, from, to: counting, counted: false });
    bands.push({ name: stageName(plan, index), from: counting, to: from + seconds, counted: stage.counted });
    from += seconds;
  }
  return bands;
}

/**
 * Returns the planned requests per second for each span: the integral of the rate × mean requests per journey. Returns null if responses
 * determine the rate, or if the requests per journey are unknown.
 */
export function listPlannedRates(plan: Plan, spans: readonly Span[]): number[] | null {
  const curve = findCurve(plan.load);
  if (curve === null) return null;
  const perJourney = plan.load.stages.map((_, stage) => requestsPerJourney(plan, stage).mean);
  if (perJourney.includes(null)) return null;
  return spans.map(({ second, width }) => {
    const journeys = amountBefore(curve, second + width) - amountBefore(curve, second);
    return (journeys * (perJourney[stageAt(curve, second + width / 2)] ?? 1)) / width;
  });
}

/** Returns the planned arrivals per second at a second of the run; null for other models. */
export function plannedRateAtSecond({ load }: Plan, second: number): number | null {
  const curve = findCurve(load);
  return curve && rateAt(curve, second);
}

const curves = new WeakMap<Plan['load'], RateCurve>();

/** Returns the curve of a load. It is cached per plan, because a live view asks for it several times a second. */
function findCurve(load: Plan['load']): RateCurve | null {
  if (load.model !== 'arrivals') return null;
  const made = curves.get(load) ?? rateCurve(load.stages);
  curves.set(load, made);
  return made;
}
