import { formatCount, formatMs, formatNumber, formatPercentile, formatRate, formatSeconds } from '#core/base/units.ts';
import { isSteady } from '#core/work/load/stages.ts';
import { findUnsteady } from '#core/statistics/unsteady.ts';
import { capitalizeStart } from '#core/plan/hosts/generatorNames.ts';
import { formatOverload } from '#core/result/generatorNames.ts';
import { figure, type MeasuredRun, pointsBetween, rangeOf, rule, secondsOf, overloadedShare } from '../rule.ts';
import { meanPauseSeconds } from '#core/work/journey/flow/pauses.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Point } from '#core/result/schema.ts';
import { countOverloadedSeconds } from '#core/result/overload.ts';
import { sumOf } from '#core/base/lists.ts';
import { meanOf } from '#core/statistics/trend.ts';

/** Minimum number of responses with which a p95 criterion can pass at 95 % confidence: ln 0.05 / ln 0.95 (see docs/method.md). */
const MIN_P95_RESPONSES = 59;
/** Maximum number of steps that are listed by name. Pages have a step for each kind of their files. */
const MAX_NAMED_STEPS = 5;

/** Finds percentiles that are based on too few responses. Another run would not repeat them. */
export const tooFewSamples = rule('tooFewSamples', ({ steps, run }) => {
  if (run.state !== 'finished') return [];
  // If nothing succeeded, other findings report it.
  const few = steps
    .filter(({ requests, latency }) => requests.ok > 0 && latency.service.count > 0 && latency.service.count < MIN_P95_RESPONSES)
    .sort((one, other) => one.latency.service.count - other.latency.service.count);
  const [least] = few;
  if (least === undefined) return [];
  const { count, p50, p95 } = least.latency.service;
  const others = few.length - MAX_NAMED_STEPS;
  return {
    level: 'info',
    sentence: `Too few responses to rely on: ${formatCount(count)} to “${least.name}”. The p95 of ${formatMs(p95)} is the time of ${count < 20 ? 'the slowest one' : 'the slowest two or three'} and will differ in the next run.`,
    evidence: [`p95 needs at least ${MIN_P95_RESPONSES} responses, p99 at least 299, p99.9 at least 2,995.`],
    figures: [
      ...few.slice(0, MAX_NAMED_STEPS).map(({ name, latency }) => figure(`Responses to “${name}”`, formatCount(latency.service.count))),
      others > 0 && figure('Other steps with too few', formatCount(others)),
      figure('Median', formatMs(p50)),
    ],
    remedy: 'Run it longer, or repeat it, before you compare it with anything. The median is reliable from about 20 responses.',
  };
});

/**
 * Finds a stage that was slower than one with more users or connections. The server was in another state, so neither stage shows its
 * capacity.
 */
export const notSteady = rule('notSteady', ({ stages }) => {
  const levels = stages.flatMap(({ name, counted, level, latency: { response } }) => {
    const { p95, p99, count } = response;
    const isOne = level.unit !== 'arrivalsPerSecond' && isSteady(level);
    if (!counted || !isOne || typeof p95 !== 'number' || typeof p99 !== 'number') return [];
    return [{ name, level: level.to, responses: count, leastP95: p95, mostP99: p99 }];
  });
  const found = findUnsteady(levels);
  if (found === null) return [];
  const { lighter, heavier } = found;
  return {
    level: 'warning',
    sentence: `The server was not steady: ${formatPercentile(5)} of responses in “${lighter.name}” took ${formatMs(lighter.leastP95)} or more, but ${formatPercentile(99)} in “${heavier.name}”, with more load, took at most ${formatMs(heavier.mostP99)}.`,
    evidence: levels.map(({ name, leastP95, mostP99 }) => `${name}: p95 ${formatMs(leastP95)}, p99 ${formatMs(mostP99)}`),
    remedy:
      'More load does not make a server faster: a cache was cold, or something else ran. Warm it up with a stage that does not count, and run it again before you trust either.',
    confidence: 'likely',
  };
});

/**
 * Minimum ratio of the time by the law to the measured time that is a contradiction. It is above 1, because the ends of a window cut users'
 * rounds in two.
 */
const MIN_CONTRADICTION_RATIO = 1.5;
const MIN_DIFFERENCE_SECONDS = 0.1;
/** Number of rounds of response and pause in a window from which the window's ends no longer matter. */
const MIN_ROUNDS = 5;
const MIN_RESPONSES = 20;
/** Maximum share of overloaded seconds. A busy generator sends late, which the law counts as waiting. */
const MAX_OVERLOADED_SHARE = 0.2;

/**
 * Finds windows that are too short. With N users, response time R and think time Z, throughput is X = N / (R + Z) (interactive response
 * time law, Denning and Buzen 1978), so R = N / X − Z. If measured times are much shorter than R and the window has few rounds, the window
 * lacks slow responses, which arrived later or never.
 */
export const windowTooShort = rule('windowTooShort', (facts) => {
  const pauseSeconds = findPause(facts.plan);
  if (pauseSeconds === null) return [];
  const isDoubtful = overloadedShare(facts) > MAX_OVERLOADED_SHARE;
  return facts.stages.flatMap((stage) => {
    const { startedAtSecond: from, endedAtSecond: to, rates, level, latency, requests } = stage;
    const perSecond = rates.completedPerSecond;
    const mean = latency.service.mean;
    if (!stage.counted || level.unit === 'arrivalsPerSecond' || from === null || to === null || perSecond === null || perSecond <= 0)
      return [];
    if (typeof mean !== 'number' || latency.service.count < MIN_RESPONSES || facts.plan.load.stages.some((one) => 'requests' in one))
      return [];
    const seconds = to - from;
    const bySaw = mean / 1_000;
    const byLaw = level.to / perSecond - pauseSeconds;
    const round = byLaw + pauseSeconds;
    const contradictsWait = (waitSeconds: number): boolean =>
      waitSeconds >= MIN_CONTRADICTION_RATIO * bySaw && waitSeconds - bySaw >= MIN_DIFFERENCE_SECONDS;
    if (!contradictsWait(byLaw) || seconds >= MIN_ROUNDS * round) return [];
    // Users who pause for most of a short window also cause few responses. Users who wait, in contrast, have requests in flight.
    if (!contradictsWait(meanInFlight(facts, from, to) / perSecond)) return [];
    const withoutResponse = requests.sent - requests.ok - requests.httpError - requests.wrongBody;
    return {
      of: stage.name,
      level: 'warning',
      sentence: `“${stage.name}” was too short for its response times: ${formatCount(level.to)} users at ${formatRate(perSecond)} waited ${formatSeconds(byLaw)} on average, not the measured ${formatMs(mean)}. Slow responses were cut off.`,
      evidence: [
        `R = N / X − Z = ${formatCount(level.to)} / ${formatNumber(perSecond)} − ${formatNumber(pauseSeconds)} = ${formatNumber(byLaw)} s; the mean of the responses is ${formatNumber(bySaw)} s.`,
        isDoubtful &&
          `${capitalizeStart(formatOverload(facts.generators))} in a large part of the run: some of the difference may come from there.`,
        'Such times do not show that more users were served faster.',
      ],
      figures: [
        figure('Users', formatCount(level.to)),
        figure('Responses a second', formatRate(perSecond)),
        figure('Think time', formatSeconds(pauseSeconds)),
        figure('Mean by the response time law', formatSeconds(byLaw)),
        figure('Mean of the responses', formatMs(mean)),
        figure('No response', `${formatCount(withoutResponse)} of ${formatCount(requests.sent)}`),
        figure('Length', formatSeconds(seconds)),
      ],
      remedy: `Make it at least ${formatSeconds(Math.ceil(MIN_ROUNDS * round))} long, ${MIN_ROUNDS} times a response and a pause, and wait for all responses at the end (leave out “drainSeconds”).`,
      confidence: isDoubtful ? 'possible' : 'likely',
      range: { fromSecond: from, toSecond: to },
      insteadOf: ['notSteady', `warmingUp.${stage.name}`],
    };
  });
});

/** Returns the mean number of requests in flight between two seconds. By Little's law, it is throughput × waiting time. */
function meanInFlight(facts: MeasuredRun, fromSecond: number, toSecond: number): number {
  const points = pointsBetween(facts, fromSecond, toSecond);
  return sumOf(points, ({ inFlight }) => inFlight) / Math.max(1, points.length);
}

/**
 * Returns the mean think time between a response and the next request in seconds, if users only send, wait and pause. Returns null for
 * loads to which the response time law does not apply directly: arrivals, redirects and resources (sent without a pause), polls, side
 * calls, background requests, and steps that are not always taken.
 */
function findPause({ load, journey, flow }: Plan): number | null {
  if (load.model === 'arrivals' || flow !== undefined) return null;
  const isPlain = journey.every(
    ({ redirects, resources, poll, background, measured, once }) =>
      redirects === undefined &&
      resources === undefined &&
      poll === undefined &&
      background === undefined &&
      measured !== false &&
      once !== true,
  );
  if (!isPlain) return null;
  const usual = load.model === 'users' ? load.thinkTime : undefined;
  const pauses = journey.map(({ thinkTime }) => meanPauseSeconds(thinkTime ?? usual));
  return sumOf(pauses, (pause) => pause) / pauses.length;
}

/** Minimum length in seconds, and minimum number of waiting requests, of a lasting queue. */
const MIN_SECONDS = 6;
const MIN_WAITING = 8;
/** Minimum excess of arrivals over completions, as a share of the arrivals. */
const MIN_EXCESS_SHARE = 0.03;
/**
 * Minimum mean growth in standard errors. By chance (Student's t), it is reached in 1 of 190 stages of 6 seconds, 1 of 1,500 of 15 seconds,
 * and 1 of 11,000 of 60 seconds.
 */
const MIN_T = 4;
/** Maximum share of overloaded seconds. A busy generator notices responses late and therefore has a queue of its own. */
const MAX_OVERLOADED_QUEUE_SHARE = 0.3;

/**
 * Finds a queue that grows as long as the load lasts, because more requests arrive than are completed. With λ arrivals per second, service
 * time S and m workers, ρ = λ·S / m > 1. The completion rate is m / S while there is work, so ρ = arrivals / completions, and the queue
 * grows by λ − m / S per second. Requires constant arrivals. The growth is tested on the differences between started and ended requests in
 * each second.
 */
export const growingQueue = rule('growingQueue', (facts) => {
  if (facts.plan.load.model !== 'arrivals') return [];
  return facts.stages.flatMap((stage) => {
    const { level } = stage;
    if (!isSteady(level) || level.to <= 0) return [];
    const all = pointsBetween(facts, stage.startedAtSecond, stage.endedAtSecond);
    // Before the first response, every request is in flight, however quick the server is.
    const firstResponse = all.findIndex(({ completed }) => completed > 0);
    const points = firstResponse < 0 ? [] : all.slice(firstResponse + 1);
    const seconds = secondsOf(points);
    const last = points.at(-1);
    if (last === undefined || seconds < MIN_SECONDS || last.inFlight < MIN_WAITING) return [];
    const overloadedBy = countOverloadedSeconds(points);
    if (!growsBeyondChance(points)) return [];
    const isDoubtful = overloadedBy > MAX_OVERLOADED_QUEUE_SHARE * seconds;
    // Requests that time out leave the queue without being completed.
    const clean = points.filter(({ failed, notStarted }) => failed === 0 && notStarted.target === 0);
    const reported = secondsOf(clean) >= MIN_SECONDS / 2 ? clean : points;
    const tail = points.slice(-Math.ceil(points.length / 3));
    const goesOn = perSecond(tail, inFlightGrowth) > MIN_EXCESS_SHARE * perSecond(tail, ({ started }) => started);
    if (!goesOn && clean.length === points.length) return [];
    const came = perSecond(reported, ({ started, notStarted }) => started + notStarted.target);
    const completedPerSecond = perSecond(reported, ({ completed }) => completed);
    if (came - completedPerSecond < MIN_EXCESS_SHARE * came || completedPerSecond <= 0) return [];
    const maxInFlight = Math.max(...points.map(({ inFlight }) => inFlight));
    return {
      of: stage.name,
      level: 'warning',
      sentence: `In “${stage.name}” requests arrived faster than they were completed: ${formatRate(came)} against ${formatRate(completedPerSecond)}. The queue grew by ${formatNumber(came - completedPerSecond)} a second, up to ${formatCount(maxInFlight)} in flight, and keeps growing as long as this load lasts.`,
      evidence: [
        `ρ = ${formatNumber(came)} / ${formatNumber(completedPerSecond)} = ${formatNumber(came / completedPerSecond)}. Above 1 no queue is long enough, and each request waits longer than the one before.`,
        `At this pace, ${formatCount(Math.round((came - completedPerSecond) * 600))} more are waiting after ten minutes.`,
        isDoubtful &&
          `${capitalizeStart(formatOverload(facts.generators))} for ${formatSeconds(overloadedBy)} of it: part of the growth may come from there.`,
        !goesOn && 'It stopped growing only because requests timed out.',
      ],
      figures: [
        figure('Arrived', formatRate(came)),
        figure('Completed', formatRate(completedPerSecond)),
        figure('Growth of the queue', `${formatNumber(came - completedPerSecond)} a second`),
        figure('Max in flight', formatCount(maxInFlight)),
        figure('Watched for', formatSeconds(seconds)),
      ],
      remedy: `It sustains at most ${formatRate(completedPerSecond)} of these. More workers or servers raise that in proportion; so do faster requests. A longer queue or time-out does not.`,
      confidence: isDoubtful ? 'possible' : 'likely',
      range: rangeOf(points),
      insteadOf: [`slowerAndSlower.${stage.name}`],
    };
  });
});

function inFlightGrowth({ started, completed, failed, ok }: Point): number {
  // Failed requests without a response do not wait any longer either.
  return started - Math.max(completed, ok + failed);
}

/**
 * Returns whether Student's t test finds that the mean growth per second is not chance. It is unweighted, because all seconds are equally
 * long.
 */
function growsBeyondChance(points: readonly Point[]): boolean {
  const rates = points.map((point) => inFlightGrowth(point) / point.width);
  const mean = meanOf(rates);
  const squares = sumOf(rates, (rate) => (rate - mean) ** 2);
  const error = Math.sqrt(squares / (rates.length - 1) / rates.length);
  return mean > 0 && mean >= MIN_T * error;
}

function perSecond(points: readonly Point[], pick: (point: Point) => number): number {
  return sumOf(points, pick) / Math.max(1e-9, secondsOf(points));
}
