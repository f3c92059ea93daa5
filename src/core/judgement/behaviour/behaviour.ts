import { listRecordedRequests } from '#core/plan/requests.ts';
import { isSteady, levelOf, secondsOf } from '#core/work/load/stages.ts';
import { listJudgedStages, stageName } from '#core/plan/names.ts';
import { buildLoadProfile } from '#core/work/load/profile.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Point } from '#core/result/schema.ts';
import type { StageTime } from '#core/result/stageTimes.ts';
import { countEnded, goodTimes } from '#core/measurement/cellFigures.ts';
import { EARLY_RESPONSES } from '#core/measurement/windowFold.ts';
import {
  type Histogram,
  createTotalHistogram,
  percentileRank,
  record,
  valueAtRank,
  subtractHistograms,
} from '#core/statistics/histogram.ts';
import type { Totals } from '#core/result/totals.ts';
import type { Cell, EarlyResponse } from '#core/measurement/window.ts';
import type { Behaviour, Bursts, Capacity, FirstResponses, Groups, Interval, Queue } from '#core/result/behaviour.ts';
import { timeGroups } from '#core/measurement/groups.ts';
import { medianOf, MIN_SLOPE_VALUES, theilSen } from '#core/statistics/trend.ts';
import { formatCount, formatMs } from '#core/base/units.ts';
import { listRecoveries } from './recovery.ts';
import { bucketOf, highestUsOf } from '#core/statistics/buckets.ts';

/** Minimum growth of times over the queue, as a share of the shortest time, that counts as a queue. */
const MIN_GROWTH_SHARE = 0.2;
/** Minimum growth of the median per second that indicates waiting, as a factor; the next constant is in ms. */
const MIN_GROWTH_RATIO = 5;
const MIN_GROWTH_MS = 50;
/**
 * Minimum share by which responses must be further apart than their requests. Below it, the load determines their interval, not the server.
 */
const MIN_EXTRA_GAP_SHARE = 0.05;

/**
 * Analyses response time by position in the queue. If m requests are processed at a time with service time S, responses are S / m apart,
 * whatever the intervals between the requests. Only successful responses count, because a proxy's error shows the proxy's time-out.
 */
export function findQueue(names: { readonly stage: string; readonly step: string }, early: readonly EarlyResponse[], sent: number): Queue {
  const good = early.filter(({ ok }) => ok);
  const commonFigures = { ...names, responses: good.length, sent };
  const growth = theilSen(good.map(({ responseUs }) => responseUs / 1_000));
  const interval = theilSen(good.map(({ startUs, responseUs }) => (startUs + responseUs) / 1_000).sort((a, b) => a - b));
  if (growth === null || interval === null) {
    const reason = `${formatCount(good.length)} successful ${good.length === 1 ? 'response' : 'responses'}: a trend needs at least ${MIN_SLOPE_VALUES}.`;
    return { ...commonFigures, growthMs: null, intervalMs: null, queues: null, reason };
  }
  return {
    ...commonFigures,
    growthMs: growth,
    intervalMs: interval,
    queues: growsBeyondChance(growth, good) && isSpacedByServer(growth, good),
    reason: null,
  };
}

function growsBeyondChance({ value, low }: Interval, good: readonly EarlyResponse[]): boolean {
  const shortestMs = good.reduce((least, { responseUs }) => Math.min(least, responseUs / 1_000), Number.POSITIVE_INFINITY);
  return low > 0 && value * (good.length - 1) > MIN_GROWTH_SHARE * shortestMs;
}

/** Returns whether responses are further apart than requests were sent. */
function isSpacedByServer({ low }: Interval, good: readonly EarlyResponse[]): boolean {
  const starts = good.map(({ startUs }) => startUs / 1_000).sort((a, b) => a - b);
  const offeredMs = ((starts.at(-1) ?? 0) - (starts[0] ?? 0)) / Math.max(1, starts.length - 1);
  return low > MIN_EXTRA_GAP_SHARE * offeredMs;
}

/** Facts of a stage that is judged as a burst. */
interface BurstStage {
  readonly sent: number;
  readonly failed: number;
  /** Number of requests that were outstanding when the next burst began. */
  readonly leftOver: number;
}

const MIN_BURSTS = 3;

/**
 * Returns the indexes of the bursts in a plan: stages of arrivals that are each followed by a pause of at least the same length. Empty for
 * other plans.
 */
export function burstPositions({ load }: Pick<Plan, 'load'>): number[] {
  if (load.model !== 'arrivals') return [];
  const places = load.stages.flatMap((stage, index) => (stage.kind === 'pause' ? [] : [index]));
  const isBurst = (place: number): boolean => {
    const [stage, pause] = [load.stages[place], load.stages[place + 1]];
    if (stage === undefined || pause === undefined) return place > 0;
    return pause.kind === 'pause' && (secondsOf(stage) ?? 0) <= pause.seconds;
  };
  return places.length >= MIN_BURSTS && places.every(isBurst) ? places : [];
}

/** Returns the largest burst without a failure. Bursts after the first bad one may suffer from it and do not count. */
export function findBursts(stages: readonly BurstStage[]): Bursts | null {
  const sent = stages.filter((stage) => stage.sent > 0);
  if (sent.length === 0) return null;
  const firstBad = sent.findIndex(({ failed }) => failed > 0);
  const good = firstBad < 0 ? sent : sent.slice(0, firstBad);
  return {
    largestGood: good.length === 0 ? null : Math.max(...good.map((stage) => stage.sent)),
    smallestBad: sent[firstBad]?.sent ?? null,
    drained: good.every(({ leftOver }) => leftOver === 0),
  };
}

/**
 * Returns the stages and steps whose times form several groups. Only stages with a constant load count, because times change with the load.
 * Resources of pages are excluded, because one name covers many different ones.
 */
function listGroups(plan: Plan, totals: Totals): Groups[] {
  const steady = listJudgedStages(plan).filter((index) => {
    const stage = plan.load.stages[index];
    return stage !== undefined && isSteady(levelOf(stage));
  });
  return steady.flatMap((stage) =>
    listRecordedRequests(plan).flatMap(({ name, resource }, step): Groups[] => {
      if (resource !== null) return [];
      const { times } = totals.sum((cell) => cell.stage === stage && cell.step === step);
      const responses = timeGroups(times.serviceOk);
      const connects = timeGroups(times.connect);
      return responses.length < 2 && connects.length < 2 ? [] : [{ stage: stageName(plan, stage), step: name, responses, connects }];
    }),
  );
}

interface BehaviourInput {
  readonly plan: Plan;
  readonly totals: Totals;
  /** All windows of the run, in order of time. */
  readonly points: readonly Point[];
  /** Time in which each stage's load was running; null if the stage was never reached. */
  readonly spans: readonly (StageTime | null)[];
}

/**
 * Analyses the server's behaviour from times: first responses, queues, bursts, recovery after high load, and capacity under rising rates.
 */
export function describeBehaviour(input: BehaviourInput): Behaviour {
  const { plan, totals, points } = input;
  const steps = listRecordedRequests(plan);
  const bursts = burstPositions(plan);
  const isOpen = plan.load.model === 'arrivals';
  return {
    firstResponses: steps.flatMap(({ name, resource }, step) => {
      // A resource name covers many different files, so its first responses are not comparable with the rest.
      if (resource !== null) return [];
      const sum = totals.sum((cell) => cell.step === step);
      return sum.started === 0 ? [] : [compareFirstResponses(name, sum.early, goodTimes(sum))];
    }),
    queues: isOpen ? findQueues(input) : [],
    bursts: bursts.length === 0 ? null : findBursts(burstStages(input, bursts)),
    recoveries: bursts.length === 0 && plan.load.model !== 'connections' ? listRecoveries(buildLoadProfile(plan), points) : [],
    capacity: isOpen && steps.length === 1 && bursts.length === 0 ? estimateCapacity(capacityStages(input), points) : null,
    groups: listGroups(plan, totals),
  };
}

function findQueues(input: BehaviourInput): Queue[] {
  const { plan, totals } = input;
  // Uncounted stages are included, because behaviour is described here, not judged.
  return plan.load.stages.flatMap((_stage, stage) =>
    listRecordedRequests(plan).flatMap(({ name }, step) => {
      const cell = totals.sum((one) => one.stage === stage && one.step === step);
      return cell.started === 0
        ? []
        : [addLater(findQueue({ stage: stageName(plan, stage), step: name }, cell.early, cell.started), stage, input)];
    }),
  );
}

/**
 * Adds what happened later, because first responses do not show a queue that forms later. If times grow several-fold, the result is
 * unknown.
 */
function addLater(queue: Queue, stage: number, { points, spans }: BehaviourInput): Queue {
  const span = spans[stage] ?? null;
  if (queue.queues !== false || span === null) return queue;
  const times = points.flatMap(({ second, p50 }) => (p50 !== null && second < span.to ? [{ second, p50 }] : []));
  const minMs = Math.min(...times.map(({ p50 }) => p50));
  const maxMs = Math.max(...times.filter(({ second }) => second >= span.from).map(({ p50 }) => p50));
  if (maxMs < MIN_GROWTH_RATIO * minMs || maxMs - minMs < MIN_GROWTH_MS) return queue;
  return {
    ...queue,
    queues: null,
    reason: `The first responses showed none, but the median grew from ${formatMs(minMs)} to ${formatMs(maxMs)}.`,
  };
}

function burstStages({ totals, points, spans }: BehaviourInput, places: readonly number[]): BurstStage[] {
  return places.map((stage, index) => {
    const cell = totals.sum((one) => one.stage === stage);
    const next = places[index + 1];
    const nextStart = next === undefined ? null : (spans[next]?.from ?? null);
    const failed = cell.started - (cell.outcomes.ok ?? 0);
    return { sent: cell.started, failed, leftOver: nextStart === null ? 0 : outstandingAt(nextStart, cell, points) };
  });
}

/**
 * Returns the number of outstanding requests at a second. It is exact if every response is stored individually; otherwise, it is the number
 * in flight at the end of the last window before `second`.
 */
function outstandingAt(second: number, cell: Cell, points: readonly Point[]): number {
  if (cell.started <= EARLY_RESPONSES) {
    const came = cell.early.filter(({ startUs, responseUs }) => startUs + responseUs <= second * 1_000_000).length;
    return Math.max(0, Math.min(cell.started, countEnded(cell)) - came);
  }
  return points.findLast((point) => point.second + point.width <= second)?.inFlight ?? 0;
}

function capacityStages({ plan, totals, spans }: BehaviourInput): CapacityStage[] {
  return listJudgedStages(plan).flatMap((stage) => {
    const span = spans[stage] ?? null;
    const planned = plan.load.stages[stage];
    if (span === null || planned === undefined || secondsOf(planned) === null) return [];
    const times = totals.sum((cell) => cell.stage === stage).times.serviceOk;
    const p50 = times === undefined || times.totalCount === 0 ? null : valueAtRank(times, percentileRank(50, times.totalCount)) / 1_000;
    const { from, to } = levelOf(planned);
    return [{ fromSecond: span.from, toSecond: span.to, fromPerSecond: from, toPerSecond: to, p50 }];
  });
}

type Second = Pick<Point, 'second' | 'width' | 'started' | 'ok' | 'failed' | 'inFlight' | 'p50'>;

/** Figures of a stage of arrivals. */
export interface CapacityStage {
  readonly fromSecond: number;
  readonly toSecond: number;
  /** Planned rates at the beginning and the end of the stage. */
  readonly fromPerSecond: number;
  readonly toPerSecond: number;
  /** Median service time of successful responses in ms, which excludes the load generator's schedule lag. */
  readonly p50: number | null;
}

const MIN_WAITING_RATIO = 1.5;
/** Maximum ratio of the median to the unloaded time at which the server keeps up. */
const MAX_KEPT_UP_RATIO = 1.25;
const MIN_RATE_RATIO = 3;
/** Minimum unloaded time in ms, because shorter times consist mostly of network time. */
const MIN_UNLOADED_MS = 20;
const MIN_SECONDS = 4;
const MAX_FAILED_SHARE = 0.05;

/**
 * Estimates the capacity of a server from stages of arrivals; the load of the first stage must be too light for requests to wait. By
 * Little's law L = X · S: while all workers are busy, X responses per second of S seconds each need X · S workers. Returns null for other
 * loads.
 */
export function estimateCapacity(stages: readonly CapacityStage[], seconds: readonly Second[]): Capacity | null {
  const [alone] = stages;
  const highestPerSecond = Math.max(0, ...stages.flatMap(({ fromPerSecond, toPerSecond }) => [fromPerSecond, toPerSecond]));
  if (alone === undefined || stages.length < 2 || highestPerSecond < MIN_RATE_RATIO * Math.max(alone.fromPerSecond, alone.toPerSecond))
    return null;
  const loaded = seconds.filter((one) =>
    stages.some(({ fromSecond, toSecond }) => one.second >= fromSecond && one.second + one.width <= toSecond),
  );
  const aloneMs = alone.p50;
  const commonFigures = { aloneMs, highestPerSecond, mostInFlight: Math.max(0, ...seconds.map(({ inFlight }) => inFlight)) };
  const none = { saturatedPerSecond: null, workers: null, keptUpPerSecond: null, fellBehindPerSecond: null, isLimited: null };
  if (aloneMs === null) return { ...commonFigures, ...none, reason: 'No request succeeded before the load rose.' };
  if (aloneMs < MIN_UNLOADED_MS) return null;
  const sum = (pick: (one: Second) => number): number => loaded.reduce((total, one) => total + pick(one), 0);
  if (sum(({ failed }) => failed) > MAX_FAILED_SHARE * sum(({ started }) => started))
    return { ...commonFigures, ...none, reason: 'Too many requests failed: fast failures say nothing about capacity.' };
  const rateLimits = findRateLimits(stages.slice(1), aloneMs);
  const busy = loaded.filter(({ p50, second }) => second >= alone.toSecond && p50 !== null && p50 > MIN_WAITING_RATIO * aloneMs);
  if (busy.length === 0) return { ...commonFigures, ...none, ...rateLimits, isLimited: false, reason: null };
  if (busy.length < MIN_SECONDS)
    return { ...commonFigures, ...none, ...rateLimits, reason: 'The server was busy for too few seconds to measure its capacity.' };
  const width = busy.reduce((total, one) => total + one.width, 0);
  const saturatedPerSecond = busy.reduce((total, { ok }) => total + ok, 0) / width;
  return {
    ...commonFigures,
    saturatedPerSecond,
    workers: (saturatedPerSecond * aloneMs) / 1_000,
    ...rateLimits,
    isLimited: true,
    reason: null,
  };
}

/** Returns the rates between which the server starts to fall behind. Only stages with a constant rate count. */
function findRateLimits(stages: readonly CapacityStage[], aloneMs: number): Pick<Capacity, 'keptUpPerSecond' | 'fellBehindPerSecond'> {
  const constant = stages.filter(({ fromPerSecond, toPerSecond }) => fromPerSecond === toPerSecond);
  const behind = constant.filter(({ p50 }) => p50 === null || p50 > MAX_KEPT_UP_RATIO * aloneMs).map(({ toPerSecond }) => toPerSecond);
  const lowestBehind = behind.length === 0 ? null : Math.min(...behind);
  const kept = constant.map(({ toPerSecond }) => toPerSecond).filter((rate) => lowestBehind === null || rate < lowestBehind);
  return { keptUpPerSecond: kept.length === 0 ? null : Math.max(...kept), fellBehindPerSecond: lowestBehind };
}

export const FIRST_RESPONSE_COUNT = 10;
const MIN_OTHER_RESPONSES = 30;
/**
 * Minimum number of first responses that are above the 90th percentile of the rest. By chance, five or more of 10 are above it with a
 * probability of 0.0016 (binomial distribution, p = 0.1).
 */
const MIN_SLOWER = 5;
/** Minimum difference in µs, because opening the first connections takes some milliseconds on both sides. */
const MIN_DIFFERENCE_US = 20_000;
/** Smallest difference as a share of the usual time. */
const MIN_DIFFERENCE_SHARE = 0.2;

/**
 * Compares the first successful responses of a step with the rest. Refusals are excluded, because they are quick for another reason.
 * `times`: response times of all successful responses of the step, in µs.
 */
export function compareFirstResponses(step: string, early: readonly EarlyResponse[], times: Histogram | undefined): FirstResponses {
  const good = early.filter(({ ok }) => ok);
  const first = good.slice(0, FIRST_RESPONSE_COUNT).map(({ responseUs }) => responseUs);
  const all = times?.totalCount ?? 0;
  const commonFigures = { step, first: first.map(toMs) };
  if (times === undefined || first.length < FIRST_RESPONSE_COUNT || all < FIRST_RESPONSE_COUNT + MIN_OTHER_RESPONSES) {
    const reason = `With ${formatCount(all)} successful responses, the first ${FIRST_RESPONSE_COUNT} cannot be compared with the rest: at least ${FIRST_RESPONSE_COUNT + MIN_OTHER_RESPONSES} are needed.`;
    return { ...commonFigures, firstMedian: null, restMedian: null, restP90: null, slower: 0, isSlowAtFirst: null, reason };
  }
  const taken = createTotalHistogram();
  for (const time of first) record(taken, time);
  const rest = subtractHistograms(times, [taken]);
  const valueAtPercentile = (percentile: number): number => valueAtRank(rest, percentileRank(percentile, rest.totalCount));
  const p90 = valueAtPercentile(90);
  // Times in the same bucket count as equal.
  const slower = first.filter((time) => time > highestUsOf(bucketOf(p90))).length;
  const mean = first.reduce((sum, time) => sum + time, 0) / first.length;
  return {
    ...commonFigures,
    firstMedian: toMs(medianOf([...first].sort((a, b) => a - b))),
    restMedian: toMs(valueAtPercentile(50)),
    restP90: toMs(p90),
    slower,
    isSlowAtFirst:
      slower >= MIN_SLOWER && mean - valueAtPercentile(50) >= Math.max(MIN_DIFFERENCE_US, MIN_DIFFERENCE_SHARE * valueAtPercentile(50)),
    reason: null,
  };
}

function toMs(us: number): number {
  return us / 1_000;
}
