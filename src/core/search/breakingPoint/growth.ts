import type { Point } from '#core/result/schema.ts';
import { student95 } from '#core/statistics/beta.ts';
import { MIN_SLOPE_VALUES, meanOf, medianOf, theilSen } from '#core/statistics/trend.ts';

/** Smallest growth of a queue, as a share of the arrivals, that matters: 1 % above the limit, responses take 10 ms longer with every second. */
const MIN_GROWTH_SHARE = 0.01;
/** Standard deviation of rounding counts to integers: 1/√12. */
const COUNT_ROUNDING = 0.29;
/** Relative rounding of times, which have 3 digits. */
const TIME_ROUNDING = 0.001;
/** Variance factor: steps between medians of whole seconds have two thirds of the variance of the queue. */
const MEDIAN_VARIANCE_FACTOR = 1.5;
/** Smallest share of seconds without overload of this computer that suffices. */
const MIN_HEALTHY_SHARE = 0.5;
/** Largest number of requests per journey for which later requests do not depend on responses. */
const MAX_SINGLE_REQUESTS = 1.05;

/** Offered load of a level. */
interface Offered {
  /** Journeys per second. */
  readonly perSecond: number;
  readonly requestsPerJourney: number;
}

/** Behaviour of a queue during a level. */
export interface Growth {
  /** Increase of the response time per second. */
  readonly msPerSecond: number;
  /** Started / ended requests. */
  readonly ratio: number;
  readonly isGrowing: boolean;
  /** Duration needed to distinguish growth from chance, in s; null if it was long enough. */
  readonly wantedSeconds: number | null;
  /** 95 % interval of the growth as a share of the arrivals; around 0 for a server that keeps up. */
  readonly share: { readonly low: number; readonly high: number };
  /** Share of overloaded seconds of this computer among those used. */
  readonly overloadedShare: number;
}

/** An estimate of the growth as a share of the arrivals, with its standard error. */
interface View {
  readonly share: number;
  readonly error: number;
}

/**
 * Tests whether a queue grows at a constant rate λ. With capacity μ it grows if ρ = λ/μ > 1. Three estimates of the growth as a share of λ each equal 1 −
 * 1/ρ while there is a queue:
 *
 * 1. (started − ended) / λ;
 * 2. (λ − ended) / λ;
 * 3. the increase of the response time per second: a request t later has waited (1 − 1/ρ) t longer.
 *
 * Below the limit all are 0 on average, but chance affects them differently. More than λ may arrive for a while, which lengthens the queue (1, 3) of a
 * server that completes more than λ meanwhile (2). Fewer than λ may arrive, so fewer complete (2) without any queue (1, 3). Therefore a queue grows only if
 * all three exceed MIN_GROWTH_SHARE, and the one that exceeds it least, in standard errors, decides.
 *
 * The errors are those of a random walk, computed from the steps between seconds: after T seconds √(I / (λ T)), where I is the variance-to-mean ratio of
 * arrivals plus that of services (2 if both are exponential, 0 if both are constant). Distinguishing ρ = 1 + ε takes about 4 I / (λ ε²) seconds: at 100 per
 * second and ε = 3 %, 89 s if both are exponential.
 *
 * Seconds in which this computer was overloaded are excluded if enough others remain. A lower offered load only shortens the queue, so such seconds cause no
 * false growth.
 *
 * For journeys of several requests, only the number of journeys is used, because later requests wait for responses.
 */
export function growthOf(points: readonly Point[], { perSecond, requestsPerJourney }: Offered): Growth | null {
  // Before the first response, every request is in flight, however quick the server is.
  const first = points.findIndex(({ completed }) => completed > 0);
  const watched = first < 0 ? [] : points.slice(first);
  const medians = watched.flatMap(({ p50 }) => p50 ?? []);
  const slope = theilSen(medians);
  if (slope === null) return null;
  const width = watched[0]?.width ?? 1;
  const well = watched.filter(isWell);
  const isEnough = well.length >= MIN_HEALTHY_SHARE * watched.length && stepsOf(watched, well).length >= MIN_SLOPE_VALUES - 1;
  const told = isEnough ? well : watched;
  const began = viewOf(
    told.map((one) => (one.started - answered(one)) / one.width),
    COUNT_ROUNDING,
    perSecond,
  );
  const level = viewOf(
    told.map((one) => perSecond - answered(one) / one.width),
    COUNT_ROUNDING,
    perSecond,
  );
  const longer = viewOf(
    stepsOf(watched, told).map((step) => step / width),
    TIME_ROUNDING * medianOf(medians.toSorted((one, other) => one - other)),
    1_000,
    MEDIAN_VARIANCE_FACTOR,
  );
  const views = requestsPerJourney > MAX_SINGLE_REQUESTS ? [began] : [began, level, longer];
  // Chosen by precision, not by value, so there is no bias.
  const clearest = views.reduce((one, other) => (other.error < one.error ? other : one));
  const least = views.reduce((one, other) => (beyond(other) < beyond(one) ? other : one));
  const isGrowing = beyond(least) > 0;
  // Number of standard errors that chance exceeds once in 40 cases.
  const sure = student95(told.length - 1);
  // A rate that was not offered was not sustained.
  const isAskedLess = !isGrowing && views.includes(level) && beyond(level) >= sure;
  const seconds = watched.reduce((sum, one) => sum + one.width, 0);
  const started = watched.reduce((sum, one) => sum + one.started, 0);
  const completed = watched.reduce((sum, one) => sum + answered(one), 0);
  return {
    msPerSecond: slope.value / width,
    ratio: started / Math.max(1, completed),
    isGrowing,
    wantedSeconds:
      Math.abs(beyond(least)) >= sure && !isAskedLess
        ? null
        : Math.ceil(seconds * Math.max(2, ((sure * least.error) / MIN_GROWTH_SHARE) ** 2)),
    share: { low: clearest.share - sure * clearest.error, high: clearest.share + sure * clearest.error },
    overloadedShare: told.filter((one) => !isWell(one)).length / told.length,
  };
}

function isWell({ overloadedBy }: Point): boolean {
  return overloadedBy.length === 0;
}

/** Requests that ended, with or without a response. */
function answered({ ok, failed }: Point): number {
  return ok + failed;
}

/** Excess over the minimum in standard errors. */
function beyond({ share, error }: View): number {
  return (share - MIN_GROWTH_SHARE) / error;
}

/** Returns the mean of values per second as a share of `whole`. Its deviation is at least `rounding`. */
function viewOf(values: readonly number[], rounding: number, whole: number, varianceFactor = 1): View {
  const mean = meanOf(values);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const deviation = Math.max(rounding, Math.sqrt((varianceFactor * squares) / (values.length - 1)));
  return { share: mean / whole, error: deviation / Math.sqrt(values.length) / whole };
}

/** Returns the differences of medians between neighbouring seconds that both count. */
function stepsOf(points: readonly Point[], told: readonly Point[]): number[] {
  const counts = new Set(told);
  return points.slice(1).flatMap((one, index) => {
    const before = points[index];
    if (before === undefined || before.p50 === null || one.p50 === null || !counts.has(before) || !counts.has(one)) return [];
    return [one.p50 - before.p50];
  });
}
