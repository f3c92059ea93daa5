import type { Point } from '#core/result/schema.ts';
import { student95 } from '#core/statistics/beta.ts';
import { MIN_SLOPE_VALUES, meanOf, medianOf, theilSen } from '#core/statistics/trend.ts';

/** A queue that grows by less than this share of what comes is none that matters: at a hundredth beyond the limit answers take 10 ms longer with every second. */
const LEAST_GROWTH = 0.01;
/** Counts are whole numbers: the standard deviation of what rounding does to them, 1/√12. */
const COUNT_ROUNDING = 0.29;
/** Times are kept with 3 digits. */
const TIME_ROUNDING = 0.001;
/** Medians of whole seconds even out what a queue does within them: their steps have two thirds of its variance. */
const EVENED_OUT = 1.5;
/** Where in so many of the seconds this computer kept up, they are enough. */
const LEAST_WELL = 0.5;
/** Where a journey makes more requests than this, what is asked later depends on what was answered before. */
const ONE_REQUEST = 1.05;

/** What a level asks for. */
interface Offered {
  /** Journeys a second. */
  readonly perSecond: number;
  readonly requestsPerJourney: number;
}

/** How a queue behaved in the seconds of a level. */
export interface Growth {
  /** How much longer answers took with each second. */
  readonly msPerSecond: number;
  /** What began by what was answered. */
  readonly ratio: number;
  readonly isGrowing: boolean;
  /** How long the level had to be watched to tell it from chance, in s; null where it is told. */
  readonly wantedSeconds: number | null;
  /** By what share of what comes it grows, with 95 % confidence; a server that bears all has one around 0. */
  readonly share: { readonly low: number; readonly high: number };
  /** Of the seconds that it was told by, those in which this computer did not keep up. */
  readonly sickShare: number;
}

/** One way to see by what share of what comes a queue grows, with its standard error. */
interface View {
  readonly share: number;
  readonly error: number;
}

/**
 * Whether a queue grows at a constant rate λ, which with a capacity μ it does where ρ = λ/μ > 1. There are three ways to see by what share of λ, each of which tells 1 − 1/ρ while there is a queue:
 *
 * 1. what began less what was answered, over λ;
 * 2. λ less what was answered, over λ;
 * 3. how much longer answers take with each second: who comes t later has waited (1 − 1/ρ) t longer.
 *
 * Below the limit all are 0 in the long run, but chance moves each in its own way: more than λ may come for a while, which lengthens the queue (1, 3) of a server that answers more than
 * λ meanwhile (2); less than λ may come, of which less is answered (2) without any queue (1, 3). So only where all three are beyond LEAST_GROWTH does a queue grow, and the one that is
 * least beyond it, in its own standard errors, decides. The errors are those of a random walk, from the steps between seconds, since a queue near its limit is one: after T seconds they are
 * √(I / (λ T)), with I how uneven arrivals and services are (variance over mean; 2 where both are by chance, 0 where both are like clockwork). To tell ρ = 1 + ε takes about 4 I / (λ ε²) seconds:
 * at 100 a second and ε = 3 % a moment where all is like clockwork, 89 s where all is by chance.
 *
 * In a second in which this computer did not keep up, what was asked and what was answered says less of the server: where the others are enough by themselves, only they are looked at.
 * A server that is asked for less than it can do shortens its queue in them, so none grows that this computer made.
 *
 * Of journeys of several requests only the first is seen, per journey: their later requests wait for answers.
 */
export function growthOf(points: readonly Point[], { perSecond, requestsPerJourney }: Offered): Growth | null {
  // Until the first answers came everything is on its way, however quick the server is.
  const first = points.findIndex(({ completed }) => completed > 0);
  const watched = first < 0 ? [] : points.slice(first);
  const medians = watched.flatMap(({ p50 }) => p50 ?? []);
  const slope = theilSen(medians);
  if (slope === null) return null;
  const width = watched[0]?.width ?? 1;
  const well = watched.filter(isWell);
  const isEnough = well.length >= LEAST_WELL * watched.length && stepsOf(watched, well).length >= MIN_SLOPE_VALUES - 1;
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
    EVENED_OUT,
  );
  const views = requestsPerJourney > ONE_REQUEST ? [began] : [began, level, longer];
  // Chosen by how well it is known and not by what it says, so it errs to neither side.
  const clearest = views.reduce((one, other) => (other.error < one.error ? other : one));
  const least = views.reduce((one, other) => (beyond(other) < beyond(one) ? other : one));
  const isGrowing = beyond(least) > 0;
  // So many standard errors away, chance is the reason once in 40 times.
  const sure = student95(told.length - 1);
  // A server is not seen to bear what it was not asked for.
  const isAskedLess = !isGrowing && views.includes(level) && beyond(level) >= sure;
  const seconds = watched.reduce((sum, one) => sum + one.width, 0);
  const started = watched.reduce((sum, one) => sum + one.started, 0);
  const completed = watched.reduce((sum, one) => sum + answered(one), 0);
  return {
    msPerSecond: slope.value / width,
    ratio: started / Math.max(1, completed),
    isGrowing,
    wantedSeconds:
      Math.abs(beyond(least)) >= sure && !isAskedLess ? null : Math.ceil(seconds * Math.max(2, ((sure * least.error) / LEAST_GROWTH) ** 2)),
    share: { low: clearest.share - sure * clearest.error, high: clearest.share + sure * clearest.error },
    sickShare: told.filter((one) => !isWell(one)).length / told.length,
  };
}

function isWell({ sick }: Point): boolean {
  return sick.length === 0;
}

/** What is no longer waited for, answered or not. */
function answered({ ok, failed }: Point): number {
  return ok + failed;
}

/** In standard errors. */
function beyond({ share, error }: View): number {
  return (share - LEAST_GROWTH) / error;
}

/** The mean of values that each stand for a second, as a share of `whole`. They are known no closer than `rounding`. */
function viewOf(values: readonly number[], rounding: number, whole: number, varianceFactor = 1): View {
  const mean = meanOf(values);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const deviation = Math.max(rounding, Math.sqrt((varianceFactor * squares) / (values.length - 1)));
  return { share: mean / whole, error: deviation / Math.sqrt(values.length) / whole };
}

/** By how much the medians of the seconds that count differ from those of the seconds before them, where these count too. */
function stepsOf(points: readonly Point[], told: readonly Point[]): number[] {
  const counts = new Set(told);
  return points.slice(1).flatMap((one, index) => {
    const before = points[index];
    if (before === undefined || before.p50 === null || one.p50 === null || !counts.has(before) || !counts.has(one)) return [];
    return [one.p50 - before.p50];
  });
}
