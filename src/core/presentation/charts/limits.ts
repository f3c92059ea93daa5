import { secondsOf, countUncountedSeconds } from '#core/work/load/stages.ts';
import { stageName } from '#core/plan/names.ts';
import { listCriteria } from '#core/plan/criteria.ts';
import type { Plan, Criterion } from '#core/plan/schema/plan.ts';
import { formatCount, formatMs, formatNumber } from '#core/base/units.ts';
import { requestsPerJourney } from '#core/work/journey/flow/executions.ts';
import { amountBefore, rateAt, rateCurve, type RateCurve, stageAt } from '#core/work/load/rateCurve.ts';
import type { Point } from '#core/result/schema.ts';
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

/** Tolerance for points whose ends are sums of fractions. */
const TOUCHING_SECONDS = 1e-6;

/**
 * Returns the counted seconds that violate a criterion, merged where they touch. Returns null if the points do not contain the criterion's
 * value, for example for a single step. The points cover all responses together; a single violating second does not fail a run.
 */
export function findBreaches(
  criterion: Criterion,
  points: readonly Point[],
  stages: readonly StageBand[],
): NonNullable<Limit['breaches']> | null {
  const judged = findJudgedFigure(criterion);
  if (judged === null) return null;
  const counted = stages.filter((stage) => stage.counted && (criterion.stage === undefined || stage.name === criterion.stage));
  const isCounted = ({ second, width }: Span): boolean => counted.some(({ from, to }) => second >= from && second + width <= to);
  const violatingPoints = points.filter((point) => isCounted(point) && judged.isBeyond(point));
  return { side: judged.side, spans: joinSpans(violatingPoints) };
}

interface BreachTest {
  readonly side: 'above' | 'below';
  isBeyond(point: Point): boolean;
}

function findJudgedFigure(criterion: Criterion): BreachTest | null {
  if (criterion.step !== undefined) return null;
  switch (criterion.kind) {
    case 'responseTime': {
      const { percentile, maxMs, of } = criterion;
      return of !== undefined ? null : { side: 'above', isBeyond: (point) => (timeAt(point, percentile) ?? 0) > maxMs };
    }
    case 'throughput':
      return { side: 'below', isBeyond: ({ ok, width }) => ok / width < criterion.minPerSecond };
    case 'errors':
    case 'apdex':
      return null;
    default:
      return criterion satisfies never;
  }
}

/** Returns the time at a percentile, or at the next lower one, which is a lower bound. */
function timeAt({ p50, p90, p95, p99 }: Point, percentile: number): number | null {
  const known = [
    [99, p99],
    [95, p95],
    [90, p90],
    [50, p50],
  ] as const;
  return known.find(([held, time]) => held <= percentile && time !== undefined)?.[1] ?? null;
}

/** Merges touching spans. */
function joinSpans(spans: readonly Span[]): Span[] {
  const found: Span[] = [];
  for (const { second, width } of spans) {
    const last = found.at(-1);
    if (last !== undefined && second - last.second - last.width <= TOUCHING_SECONDS)
      found[found.length - 1] = { second: last.second, width: second + width - last.second };
    else found.push({ second, width });
  }
  return found;
}
