import { formatCount, formatMs, formatNumber, formatPortion, formatRate, formatSeconds } from '#core/base/units.ts';
import { isSteady } from '#core/work/load/stages.ts';
import { unsteadyAmong } from '#core/statistics/unsteady.ts';
import { atStart } from '#core/plan/hosts/places.ts';
import { overloadWords } from '#core/result/generatorNames.ts';
import { figure, type Found, pointsBetween, type Rule, type MeasuredRun, overloadedShare } from '../rule.ts';
import type { ThinkTime } from '#core/plan/schema/load.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

/** Fewest responses with which a p95 criterion can pass at 95 % confidence: ln 0.05 / ln 0.95 (see docs/method.md). */
const MIN_P95_RESPONSES = 59;
/** Most steps listed by name. Pages have a step for each kind of their files. */
const MAX_NAMED_STEPS = 5;

/** Finds percentiles of too few responses, which another run would not repeat. */
export const tooFewSamples: Rule = {
  id: 'tooFewSamples',
  find({ steps, run }) {
    if (run.state !== 'finished') return [];
    // If nothing succeeded, other findings say so.
    const few = steps
      .filter(({ requests, latency }) => requests.ok > 0 && latency.service.count > 0 && latency.service.count < MIN_P95_RESPONSES)
      .sort((one, other) => one.latency.service.count - other.latency.service.count);
    const [least] = few;
    if (least === undefined) return [];
    const { count, p50, p95 } = least.latency.service;
    const others = few.length - MAX_NAMED_STEPS;
    return [
      {
        id: this.id,
        level: 'info',
        sentence: `Too few responses to rely on: ${formatCount(count)} to “${least.name}”. The p95 of ${formatMs(p95)} is the time of ${count < 20 ? 'the slowest one' : 'the slowest two or three'} and will differ in the next run.`,
        evidence: [`p95 needs at least ${MIN_P95_RESPONSES} responses, p99 at least 299, p99.9 at least 2,995.`],
        figures: [
          ...few.slice(0, MAX_NAMED_STEPS).map(({ name, latency }) => figure(`Responses to “${name}”`, formatCount(latency.service.count))),
          ...(others > 0 ? [figure('Other steps with too few', formatCount(others))] : []),
          figure('Median', formatMs(p50)),
        ],
        remedy: 'Run it longer, or repeat it, before you compare it with anything. The median is reliable from about 20 responses.',
        confidence: 'certain',
        range: null,
      },
    ];
  },
};

/** Finds a stage that was slower than one with more users or connections: the server was in another state, so neither shows its capacity. */
export const notSteady: Rule = {
  id: 'notSteady',
  find({ stages }) {
    const levels = stages.flatMap(({ name, counted, level, latency: { response } }) => {
      const { p95, p99, count } = response;
      const isOne = level.unit !== 'arrivalsPerSecond' && isSteady(level);
      if (!counted || !isOne || typeof p95 !== 'number' || typeof p99 !== 'number') return [];
      return [{ name, level: level.to, answers: count, leastP95: p95, mostP99: p99 }];
    });
    const found = unsteadyAmong(levels);
    if (found === null) return [];
    const { lighter, heavier } = found;
    return [
      {
        id: this.id,
        level: 'warning',
        sentence: `The server was not steady: ${formatPortion(5)} of responses in “${lighter.name}” took ${formatMs(lighter.leastP95)} or more, but ${formatPortion(99)} in “${heavier.name}”, with more load, took at most ${formatMs(heavier.mostP99)}.`,
        evidence: levels.map(({ name, leastP95, mostP99 }) => `${name}: p95 ${formatMs(leastP95)}, p99 ${formatMs(mostP99)}`),
        remedy:
          'More load does not make a server faster: a cache was cold, or something else ran. Warm it up with a stage that does not count, and run it again before you trust either.',
        confidence: 'likely',
        range: null,
      },
    ];
  },
};

/** Largest ratio of the law to the measured times. The limits of a window cut users' rounds in two. */
const MIN_CONTRADICTION_RATIO = 1.5;
const MIN_DIFFERENCE_SECONDS = 0.1;
/** Rounds of response and pause in a window from which its limits no longer matter. */
const ENOUGH_ROUNDS = 5;
const MIN_RESPONSES = 20;
/** Largest share of overloaded seconds. A busy generator sends late, which the law counts as waiting. */
const MAX_OVERLOADED_SHARE = 0.2;

/**
 * Finds windows that are too short. With N users, response time R and think time Z, throughput is X = N / (R + Z) (interactive response time law, Denning
 * and Buzen 1978), so R = N / X − Z. If measured times are much shorter and the window has few rounds, slow responses are missing from it because they
 * arrived later or never.
 */
export const windowTooShort: Rule = {
  id: 'windowTooShort',
  find(facts) {
    const pauseSeconds = pauseOf(facts.plan);
    if (pauseSeconds === null) return [];
    const isDoubtful = overloadedShare(facts) > MAX_OVERLOADED_SHARE;
    return facts.stages.flatMap((stage): Found[] => {
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
      const contradicts = (waitSeconds: number): boolean =>
        waitSeconds >= MIN_CONTRADICTION_RATIO * bySaw && waitSeconds - bySaw >= MIN_DIFFERENCE_SECONDS;
      if (!contradicts(byLaw) || seconds >= ENOUGH_ROUNDS * round) return [];
      // Users who pause for most of a short window also cause few responses. Users who wait have requests in flight.
      if (!contradicts(meanInFlight(facts, from, to) / perSecond)) return [];
      const unanswered = requests.sent - requests.ok - requests.httpError - requests.wrongBody;
      return [
        {
          id: `${this.id}.${stage.name}`,
          level: 'warning',
          sentence: `“${stage.name}” was too short for its response times: ${formatCount(level.to)} users at ${formatRate(perSecond)} waited ${formatSeconds(byLaw)} on average, not the measured ${formatMs(mean)}. Slow responses were cut off.`,
          evidence: [
            `R = N / X − Z = ${formatCount(level.to)} / ${formatNumber(perSecond)} − ${formatNumber(pauseSeconds)} = ${formatNumber(byLaw)} s; the mean of the responses is ${formatNumber(bySaw)} s.`,
            ...(isDoubtful
              ? [`${atStart(overloadWords(facts.generators))} in a large part of the run: some of the difference may come from there.`]
              : []),
            'Such times do not show that more users were served faster.',
          ],
          figures: [
            figure('Users', formatCount(level.to)),
            figure('Responses a second', formatRate(perSecond)),
            figure('Think time', formatSeconds(pauseSeconds)),
            figure('Mean by the response time law', formatSeconds(byLaw)),
            figure('Mean of the responses', formatMs(mean)),
            figure('No response', `${formatCount(unanswered)} of ${formatCount(requests.sent)}`),
            figure('Length', formatSeconds(seconds)),
          ],
          remedy: `Make it at least ${formatSeconds(Math.ceil(ENOUGH_ROUNDS * round))} long, ${ENOUGH_ROUNDS} times a response and a pause, and wait for all responses at the end (leave out “drainSeconds”).`,
          confidence: isDoubtful ? 'possible' : 'likely',
          range: { fromSecond: from, toSecond: to },
          insteadOf: ['notSteady', `warmingUp.${stage.name}`],
        },
      ];
    });
  },
};

/** Mean number of requests in flight between two seconds. By Little's law it is throughput × waiting time. */
function meanInFlight(facts: MeasuredRun, fromSecond: number, toSecond: number): number {
  const points = pointsBetween(facts, fromSecond, toSecond);
  return points.reduce((sum, { inFlight }) => sum + inFlight, 0) / Math.max(1, points.length);
}

/**
 * Returns the mean think time between a response and the next request in seconds, if users only send, wait and pause. null for other loads, to which the
 * response time law does not apply directly: arrivals, redirects and resources (sent without a pause), polls, side calls, background requests, and steps
 * that are not always taken.
 */
function pauseOf({ load, journey, flow }: Plan): number | null {
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
  const pauses = journey.map(({ thinkTime }) => meanSeconds(thinkTime ?? usual));
  return pauses.reduce((sum, pause) => sum + pause, 0) / pauses.length;
}

function meanSeconds(pause: ThinkTime | undefined): number {
  if (pause === undefined) return 0;
  switch (pause.kind) {
    case 'fixed':
      return pause.seconds;
    case 'uniform':
      return (pause.fromSeconds + pause.toSeconds) / 2;
    case 'exponential':
      return pause.meanSeconds;
  }
}
