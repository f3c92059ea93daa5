import { countResponses, findFailedShare, countWanted } from '#core/measurement/requestOutcomes.ts';
import { pointsBetween, ruleOf } from '#core/judgement/diagnosis/rule.ts';
import { countRefused } from '#core/judgement/diagnosis/rules/refusals.ts';
import { findOverload } from '#core/result/overload.ts';
import type { Finding, Point, RunResult } from '#core/result/schema.ts';
import { formatCount, formatMs, formatNumber, formatPart, formatSeconds, formatShare } from '#core/base/units.ts';
import { findFreeze } from '../freeze.ts';
import { isOfPeople, LEVEL_STAGE, recoveryLevels } from './levels.ts';
import type { LevelOutcome, LevelReading, LevelReason, RecoveryReading } from './reading.ts';
import { student95 } from '#core/statistics/bounds.ts';
import { meanOf, medianOf, MIN_SLOPE_VALUES, theilSen } from '#core/statistics/trend.ts';
import { formatAfterHeadline } from '#core/judgement/verdict/labels.ts';
import type { CriterionResult } from '#core/result/verdict.ts';

const MAX_FAILED_SHARE = 0.01;
/** Maximum share of overloaded seconds at which a queue counts as the server's. */
const MAX_OVERLOADED_SHARE = 0.25;
/** Rules about failures that do not depend on the load. */
const WRONG_PAGE_RULES: ReadonlySet<string> = new Set(['missingRoute', 'redirectMeasured']);
const OWN_LIMIT_RULES: ReadonlySet<string> = new Set(['portsExhausted']);

function isOf(rules: ReadonlySet<string>): (finding: Finding) => boolean {
  return (finding) => rules.has(ruleOf(finding));
}

type LevelJudgement = Pick<LevelReading, 'outcome' | 'because' | 'text' | 'isSure' | 'missed'>;

/** Reads the result of a level. It is pure: it uses only the result. */
export function readLevel(result: RunResult, level: number): LevelReading {
  const stage = isOfPeople(result.plan) ? busiestStage(result) : result.stages.find(({ name }) => name === LEVEL_STAGE);
  if (stage === undefined) throw new TypeError('The run of a level has its stage.');
  const { rates, latency, journeys } = stage;
  // A server that is frozen from the beginning receives all of its requests in the warm-up.
  const requests = stage.requests.sent > 0 ? stage.requests : result.outcomes.requests;
  const responded = countResponses(requests);
  const good = stage.latencyByStatusClass['2xx'] ?? latency.service;
  const growth = findGrowth(result, stage);
  const judged = judge(result, stage, growth);
  return {
    kind: 'level',
    level,
    ...judged,
    sent: requests.sent,
    okPerSecond: rates.completedPerSecond === null || responded === 0 ? null : (rates.completedPerSecond * requests.ok) / responded,
    meanMs: requests.ok > 0 && typeof good.mean === 'number' ? good.mean : null,
    p50: latency.response.p50,
    p95: latency.response.p95,
    failed: countWanted(requests) - requests.ok + journeys.notStartedTarget,
    timeouts: countTimeouts(result),
    growthMsPerSecond: growth?.msPerSecond ?? null,
    growthShare: growth?.share ?? null,
    seconds: Math.round((stage.endedAtSecond ?? 0) - (stage.startedAtSecond ?? 0)),
    wantedSeconds: judged.because === 'queue' || judged.because === 'fine' ? (growth?.wantedSeconds ?? null) : null,
    freeze: judged.outcome === 'failed' ? findFreeze(result) : null,
    ...countRefusedRequests(stage),
    overloadedSeconds: findOverload(result).seconds,
    isShared: result.generators.some(({ sharesMachineWithTarget }) => sharesMachineWithTarget),
  };
}

function countRefusedRequests({ steps }: StageResult): Pick<LevelReading, 'refused'> {
  const all = steps.map((step) => ({ step: step.name, ...countRefused(step, 0) }));
  if (all.every(({ refused }) => refused === 0)) return {};
  return { refused: all.map(({ step, refused, complete }) => ({ step, refused, complete })) };
}

/** Counts the time-outs, including those of the warm-up, because a proxy skips servers after them. */
function countTimeouts({ stages, outcomes: { requests } }: RunResult): number {
  return requests.timeout + requests.inFlight + stages.reduce((sum, { status }) => sum + (status['504'] ?? 0), 0);
}

type StageResult = RunResult['stages'][number];

/** Returns the counted stage with most requests: people at a bell have stages of their own. */
function busiestStage({ stages }: RunResult): StageResult | undefined {
  return stages.filter(({ counted }) => counted).toSorted((one, other) => other.requests.sent - one.requests.sent)[0];
}

function judge(result: RunResult, stage: StageResult, growth: Growth | null): LevelJudgement {
  const { requests, journeys } = stage;
  const failed = countWanted(requests) - requests.ok;
  const failedShare = findFailedShare(requests) ?? 0;
  const wrongPlace = result.findings.find(isOf(WRONG_PAGE_RULES));
  if (wrongPlace !== undefined && failedShare > MAX_FAILED_SHARE)
    return makeJudgement('unclear', 'wrongPlace', `${wrongPlace.sentence} ${wrongPlace.remedy}`);
  const ownLimit = result.findings.find(isOf(OWN_LIMIT_RULES));
  if (ownLimit !== undefined || journeys.notStartedGenerator > 0)
    return makeJudgement('unclear', 'generator', ownLimit?.sentence ?? 'This computer could not start all scheduled requests.');
  const waited = warmUpSeconds(result, stage);
  if (waited !== null && waited.took - waited.planned >= waited.level)
    return makeJudgement(
      'failed',
      'outstanding',
      `Responses to the first requests took ${formatSeconds(waited.took)}, longer than a level lasts.`,
    );
  const cut = result.run.endedBecause;
  if (cut?.code === 'safety' && wasTooMuch(stage, growth)) return makeJudgement('failed', 'safety', cut.text);
  if (cut !== null) return makeJudgement('unclear', 'cutOff', cut.text);
  const { sent } = result.outcomes.requests;
  if (requests.sent === 0 && sent > 0)
    return makeJudgement('failed', 'outstanding', `None of the first ${formatCount(sent)} requests got a response before the level ended.`);
  if (requests.sent === 0) return makeJudgement('unclear', 'nothing', 'No request was sent at this level.');
  if (requests.ok === 0) return makeJudgement('failed', 'errors', `None of ${formatCount(requests.sent)} requests succeeded.`);
  const failedCriterion = result.criteria.find(({ outcome }) => outcome === 'failed');
  if (failedCriterion !== undefined) return failByCriterion(result, failedCriterion);
  if (journeys.notStartedTarget > 0)
    return makeJudgement(
      'failed',
      'outstanding',
      `${formatCount(journeys.notStartedTarget)} could not start: the maximum of outstanding responses was reached.`,
    );
  if (growth !== null && growth.isGrowing && growth.overloadedShare > MAX_OVERLOADED_SHARE)
    return makeJudgement('unclear', 'generator', 'Response times kept growing, but this computer was overloaded too.');
  if (growth !== null && growth.isGrowing) return makeJudgement('failed', 'queue', formatGrowth(growth));
  const byGenerator = result.criteria.find(({ unknownBecause }) => unknownBecause === 'generator' || unknownBecause === 'notOffered');
  if (byGenerator !== undefined) return makeJudgement('unclear', 'generator', byGenerator.reason);
  // People who had to reload are served: the criteria of the bell and of the people decide.
  const hasErrorLimit = isOfPeople(result.plan) || result.criteria.some(({ criterion }) => criterion.kind === 'errors');
  if (!hasErrorLimit && failedShare > MAX_FAILED_SHARE)
    return makeJudgement(
      'failed',
      'errors',
      `${formatShare(failedShare)} of requests failed (${formatPart(failed, countWanted(requests))}).`,
    );
  const open = result.criteria.filter(({ outcome }) => outcome === 'unknown');
  const leaning = open.find(isOver);
  if (leaning !== undefined) return { ...failByCriterion(result, leaning), isSure: false };
  const [doubtful] = open;
  if (doubtful !== undefined) return { ...makeJudgement('passed', 'fine', `Counted as passed: ${doubtful.reason}`), isSure: false };
  // As in the history, a criterion that was not judged leaves the run inconclusive.
  const { outcome, parts, sentence } = result.verdict;
  if (outcome === 'inconclusive')
    return {
      ...makeJudgement('passed', 'fine', `Counted as passed: ${parts === undefined ? sentence : formatAfterHeadline(parts)}`),
      isSure: false,
    };
  return makeJudgement(
    'passed',
    'fine',
    result.criteria.length === 0
      ? `The queue did not grow during the level, and ${failed === 0 ? 'no request failed' : `${formatShare(failedShare)} of requests failed`}. No pass criteria were set.`
      : 'All pass criteria passed, and no queue grew.',
  );
}

/**
 * Returns how long the warm-up of connections took, which ends with the last response, together with its planned length and that of the
 * level. Returns null for other loads, whose warm-up ends as planned.
 */
function warmUpSeconds(
  { plan: { load } }: RunResult,
  { startedAtSecond }: StageResult,
): { readonly took: number; readonly planned: number; readonly level: number } | null {
  if (load.model !== 'connections' || startedAtSecond === null) return null;
  const [warmUp, level] = load.stages;
  if (warmUp?.seconds === undefined || level?.seconds === undefined) return null;
  return { took: startedAtSecond, planned: warmUp.seconds, level: level.seconds };
}

/**
 * Returns whether a level that was cut off by a limit of the plan failed. Requests in flight at that time do not show it by themselves. A
 * server without any response, or a growing number in flight, does.
 */
function wasTooMuch({ requests: { sent, ok, inFlight } }: StageResult, growth: Growth | null): boolean {
  if (sent === 0) return false;
  return (
    ok === 0 ||
    (sent - ok - inFlight) / sent > MAX_FAILED_SHARE ||
    (growth !== null && growth.isGrowing && growth.overloadedShare <= MAX_OVERLOADED_SHARE)
  );
}

function makeJudgement(outcome: LevelOutcome, because: LevelReason, text: string): LevelJudgement {
  return { outcome, because, text, isSure: true };
}

function failByCriterion(
  { plan }: RunResult,
  { criterion, text, reason, counted, over, isOfPeople: areCounted }: CriterionResult,
): LevelJudgement {
  const of =
    areCounted === true ? (plan.people?.many ?? 'people') : 'of' in criterion && criterion.of !== undefined ? criterion.of : 'responses';
  const missed = counted === null || over === null || counted === 0 ? {} : { missed: { over, counted, of } };
  return { ...makeJudgement('failed', 'criterion', `${text}: ${reason}`), ...missed };
}

/** Returns whether the measured value violates the criterion, proven or not. */
function isOver({ measured, limit, criterion }: CriterionResult): boolean {
  if (measured === 'never') return true;
  if (measured === null) return false;
  return criterion.kind === 'apdex' || criterion.kind === 'throughput' ? measured < limit : measured > limit;
}

/** Returns the growth of the queue for arrivals; null for closed loads, which wait for responses. */
function findGrowth(result: RunResult, { level, requests, journeys, startedAtSecond, endedAtSecond }: StageResult): Growth | null {
  if (level.unit !== 'arrivalsPerSecond' || isOfPeople(result.plan)) return null;
  const points = pointsBetween(result, startedAtSecond, endedAtSecond);
  return measureGrowth(points, { perSecond: level.to, requestsPerJourney: requests.sent / Math.max(1, journeys.started) });
}

function formatGrowth({ msPerSecond, ratio, wantedSeconds }: Growth): string {
  const longer = msPerSecond > 0 ? `Responses slowed down by ${formatMs(msPerSecond)} each second: more` : 'More';
  const chance = wantedSeconds === null ? '' : ` That may be chance: about ${formatSeconds(wantedSeconds)} would decide.`;
  return `${longer} requests arrived than were completed (${formatNumber(ratio)} times), and a queue grew.${chance}`;
}

/**
 * Minimum growth of a queue that matters, as a share of the arrivals. At 1 % above the limit, responses take 10 ms longer with every
 * second.
 */
const MIN_GROWTH_SHARE = 0.01;
/** Standard deviation that results from rounding counts to integers: 1/√12. */
const COUNT_ROUNDING = 0.29;
/** Relative error of times that results from rounding to 3 digits. */
const TIME_ROUNDING = 0.001;
/** Variance factor. Steps between medians of whole seconds have two thirds of the variance of the queue. */
const MEDIAN_VARIANCE_FACTOR = 1.5;
/** Minimum share of seconds in which this computer was not overloaded. */
const MIN_HEALTHY_SHARE = 0.5;
/** Up to this mean number of requests per journey, a journey counts as a single request, which no earlier response can delay. */
const MAX_SINGLE_REQUESTS = 1.05;

/** The load that a level offers. */
interface OfferedLoad {
  /** Journeys per second. */
  readonly perSecond: number;
  readonly requestsPerJourney: number;
}

/** Behaviour of a queue during a level. */
interface Growth {
  /** Increase of the response time per second, in ms. */
  readonly msPerSecond: number;
  /** Number of started requests / number of ended ones. */
  readonly ratio: number;
  readonly isGrowing: boolean;
  /** Duration in seconds that is needed to distinguish growth from chance; null if it was long enough. */
  readonly wantedSeconds: number | null;
  /** 95 % interval of the growth as a share of the arrivals. It is around 0 for a server that keeps up. */
  readonly share: { readonly low: number; readonly high: number };
  /** Share of seconds in which this computer was overloaded, of the seconds that were used. */
  readonly overloadedShare: number;
}

/** An estimate of the growth as a share of the arrivals, with its standard error. */
interface View {
  readonly share: number;
  readonly error: number;
}

/**
 * Tests whether a queue grows at a constant rate λ. With capacity μ, it grows if ρ = λ/μ > 1. Three estimates of the growth as a share of λ
 * each equal 1 − 1/ρ while there is a queue:
 * 1. (started − ended) / λ;
 * 2. (λ − ended) / λ;
 * 3. the increase of the response time per second: a request t later has waited (1 − 1/ρ) t longer.
 * Below the limit, all are 0 on average, but chance affects them differently. More than λ may arrive for a while, which lengthens the queue
 * (1, 3) of a server that completes more than λ during that time (2). Fewer than λ may arrive, so that fewer complete (2) without any queue
 * (1, 3). A queue therefore grows only if all three exceed MIN_GROWTH_SHARE, and the one that exceeds it least, in standard errors,
 * decides.
 * The errors are those of a random walk, computed from the steps between seconds: after T seconds √(I / (λ T)), where I is the
 * variance-to-mean ratio of arrivals plus that of services (2 if both are exponential, 0 if both are constant). Distinguishing ρ = 1 + ε
 * takes about 4 I / (λ ε²) seconds: at 100 per second and ε = 3 %, 89 s if both are exponential.
 * Seconds in which this computer was overloaded are excluded if enough others remain. A lower offered load only shortens the queue, so such
 * seconds cause no false growth.
 * For journeys of several requests, only the number of journeys is used, because later requests wait for responses.
 */
export function measureGrowth(points: readonly Point[], { perSecond, requestsPerJourney }: OfferedLoad): Growth | null {
  // Before the first response, every request is in flight, however quick the server is.
  const first = points.findIndex(({ completed }) => completed > 0);
  const watched = first < 0 ? [] : points.slice(first);
  const medians = watched.flatMap(({ p50 }) => p50 ?? []);
  const slope = theilSen(medians);
  if (slope === null) return null;
  const width = watched[0]?.width ?? 1;
  const healthyPoints = watched.filter(isHealthy);
  const isEnough =
    healthyPoints.length >= MIN_HEALTHY_SHARE * watched.length && stepsOf(watched, healthyPoints).length >= MIN_SLOPE_VALUES - 1;
  const reported = isEnough ? healthyPoints : watched;
  const began = estimateShare(
    reported.map((one) => (one.started - countResponded(one)) / one.width),
    COUNT_ROUNDING,
    perSecond,
  );
  const level = estimateShare(
    reported.map((one) => perSecond - countResponded(one) / one.width),
    COUNT_ROUNDING,
    perSecond,
  );
  const longer = estimateShare(
    stepsOf(watched, reported).map((step) => step / width),
    TIME_ROUNDING * medianOf(medians.toSorted((one, other) => one - other)),
    1_000,
    MEDIAN_VARIANCE_FACTOR,
  );
  const views = requestsPerJourney > MAX_SINGLE_REQUESTS ? [began] : [began, level, longer];
  // The estimate is chosen by its precision, not by its value, so there is no bias.
  const clearest = views.reduce((one, other) => (other.error < one.error ? other : one));
  const least = views.reduce((one, other) => (excessInStandardErrors(other) < excessInStandardErrors(one) ? other : one));
  const isGrowing = excessInStandardErrors(least) > 0;
  // Chance exceeds this number of standard errors in 2.5 % of cases.
  const sure = student95(reported.length - 1);
  // A rate that was not offered was not sustained either.
  const isAskedLess = !isGrowing && views.includes(level) && excessInStandardErrors(level) >= sure;
  const seconds = watched.reduce((sum, one) => sum + one.width, 0);
  const started = watched.reduce((sum, one) => sum + one.started, 0);
  const completed = watched.reduce((sum, one) => sum + countResponded(one), 0);
  return {
    msPerSecond: slope.value / width,
    ratio: started / Math.max(1, completed),
    isGrowing,
    wantedSeconds:
      Math.abs(excessInStandardErrors(least)) >= sure && !isAskedLess
        ? null
        : Math.ceil(seconds * Math.max(2, ((sure * least.error) / MIN_GROWTH_SHARE) ** 2)),
    share: { low: clearest.share - sure * clearest.error, high: clearest.share + sure * clearest.error },
    overloadedShare: reported.filter((one) => !isHealthy(one)).length / reported.length,
  };
}

function isHealthy({ overloadedBy }: Point): boolean {
  return overloadedBy.length === 0;
}

/** Returns the number of requests that ended, with or without a response. */
function countResponded({ ok, failed }: Point): number {
  return ok + failed;
}

/** Returns by how many standard errors a share exceeds the minimum. */
function excessInStandardErrors({ share, error }: View): number {
  return (share - MIN_GROWTH_SHARE) / error;
}

/** Returns the mean of the values per second as a share of `whole`. The deviation is at least `rounding`. */
function estimateShare(values: readonly number[], rounding: number, whole: number, varianceFactor = 1): View {
  const mean = meanOf(values);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  const deviation = Math.max(rounding, Math.sqrt((varianceFactor * squares) / (values.length - 1)));
  return { share: mean / whole, error: deviation / Math.sqrt(values.length) / whole };
}

/** Returns the differences between the medians of neighbouring seconds that both count. */
function stepsOf(points: readonly Point[], reported: readonly Point[]): number[] {
  const counts = new Set(reported);
  return points.slice(1).flatMap((one, index) => {
    const before = points[index];
    if (before === undefined || before.p50 === null || one.p50 === null || !counts.has(before) || !counts.has(one)) return [];
    return [one.p50 - before.p50];
  });
}

/** Number of seconds whose median decides whether the queue is gone. */
const MEDIAN_SECONDS = 3;

/**
 * Returns how soon the server recovered. If its response times are back to normal, the moment is when the queue is gone, because the queue
 * varies far less by chance than the times of single seconds.
 */
export function readRecovery(result: RunResult, limit: number, overloadSeconds: number): RecoveryReading {
  const { calm, overload } = recoveryLevels(limit);
  const levels = { kind: 'recovery' as const, calmLevel: calm, overloadLevel: overload, overloadSeconds };
  const recovery = result.behaviour?.recoveries[0];
  if (recovery === undefined || result.run.endedBecause !== null)
    return {
      ...levels,
      seconds: null,
      resolutionSeconds: 1,
      watchedSeconds: 0,
      beforeMs: null,
      worstMs: null,
      reason: result.run.endedBecause?.text ?? 'There were too few responses to compare times with.',
    };
  const { seconds, resolutionSeconds, watchedSeconds, beforeMs, worstMs, reason } = recovery;
  return {
    ...levels,
    seconds: seconds === null ? null : (queueGoneAfter(result, limit) ?? Math.max(0, seconds - resolutionSeconds / 2)),
    resolutionSeconds,
    watchedSeconds,
    beforeMs,
    worstMs,
    reason,
  };
}

/**
 * Returns how many seconds after the overload the queue was gone; null if unknown. It is gone when no more requests are in flight than the
 * server processes at a time, which is limit × response time in the calm (Little's law). Interpolates linearly between two seconds.
 */
function queueGoneAfter(result: RunResult, limit: number): number | null {
  const [calm, , calmAgain] = result.stages;
  if (calm === undefined || calmAgain === undefined || calmAgain.startedAtSecond === null) return null;
  const { mean } = calm.latencyByStatusClass['2xx'] ?? calm.latency.service;
  // The first second is excluded, because connections are opened and code is loaded.
  const before = pointsBetween(result, calm.startedAtSecond, calm.endedAtSecond).slice(1);
  const after = pointsBetween(result, calmAgain.startedAtSecond, calmAgain.endedAtSecond);
  if (typeof mean !== 'number' || before.length < MEDIAN_SECONDS) return null;
  const maxInFlight = Math.max((limit * mean) / 1_000, ...before.map(({ inFlight }) => inFlight));
  const goneIndex = after.findIndex(
    ({ inFlight }, index) => inFlight <= maxInFlight && medianOfMedians(after.slice(index, index + MEDIAN_SECONDS)) <= maxInFlight,
  );
  const [last, first] = [after[goneIndex - 1], after[goneIndex]];
  if (first === undefined || last === undefined) return null;
  const share = (last.inFlight - maxInFlight) / (last.inFlight - first.inFlight);
  return last.second + last.width + share * first.width - calmAgain.startedAtSecond;
}

function medianOfMedians(points: readonly Point[]): number {
  return medianOf(points.map(({ inFlight }) => inFlight).toSorted((one, other) => one - other));
}
