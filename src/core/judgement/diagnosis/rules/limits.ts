import { answeredRequests } from '#core/measurement/requestOutcomes.ts';
import { isSteady } from '#core/work/load/stages.ts';
import { formatCount, formatMs, formatNumber, formatPercent, formatRate, formatSeconds } from '#core/base/units.ts';
import { grows, type Reading, secondsToLimit, type Trend, trendOf } from '#core/statistics/trend.ts';
import {
  failedShare,
  figure,
  type Found,
  rangeOf,
  type Rule,
  type MeasuredRun,
  overloadedShare,
  watchedReadings,
  failedSince,
} from '../rule.ts';
import { type Bounded, boundedBy } from '../bounded.ts';

/** Largest ratio of two equal rates. */
const MAX_FLAT_RATIO = 1.12;
/** Smallest ratio of the highest to the lowest level. */
const MIN_LEVEL_RATIO = 2;
/** Smallest ratio of the growth of times to the growth of levels. */
const MIN_TIME_GROWTH = 0.7;
const MIN_RESPONSES = 50;
const MAX_FAILED_SHARE = 0.05;
const MAX_OVERLOADED_SHARE = 0.2;

/** Finds levels whose lightest had the same throughput as the heaviest: the limit is below all of them. */
export const saturatedBelow: Rule = {
  id: 'saturatedBelow',
  find(facts) {
    const levels = facts.stages
      .flatMap(({ name, counted, level, rates, latency, requests, startedAtSecond, endedAtSecond }) => {
        const perSecond = rates.completedPerSecond;
        const mean = latency.response.mean;
        const isLevel = counted && level.unit !== 'arrivalsPerSecond' && isSteady(level);
        if (!isLevel || perSecond === null || typeof mean !== 'number' || answeredRequests(requests) < MIN_RESPONSES) return [];
        // Failures are quick and do not show capacity.
        if (requests.sent - requests.ok > MAX_FAILED_SHARE * requests.sent) return [];
        return [{ name, level: level.to, unit: level.unit, perSecond, mean, from: startedAtSecond, to: endedAtSecond }];
      })
      .toSorted((one, other) => one.level - other.level);
    const [lightest, heaviest] = [levels[0], levels.at(-1)];
    if (
      lightest === undefined ||
      heaviest === undefined ||
      heaviest.level < MIN_LEVEL_RATIO * lightest.level ||
      overloadedShare(facts) > MAX_OVERLOADED_SHARE
    )
      return [];
    const rates = levels.map(({ perSecond }) => perSecond);
    if (Math.max(...rates) > MAX_FLAT_RATIO * Math.min(...rates)) return [];
    // With think time, more users at the same rate need not have longer times.
    if (heaviest.mean / lightest.mean < MIN_TIME_GROWTH * (heaviest.level / lightest.level)) return [];
    const who = lightest.unit === 'users' ? 'users' : 'connections';
    const one = lightest.level === 1;
    const found: Found = {
      id: this.id,
      level: one ? 'info' : 'warning',
      sentence: one
        ? `The server processes one request at a time: ${formatRate(lightest.perSecond)} with a single ${lightest.unit === 'users' ? 'user' : 'connection'} and ${formatRate(heaviest.perSecond)} at ${formatCount(heaviest.level)}. More ${who} only wait longer.`
        : `The server was saturated from the beginning: ${formatRate(lightest.perSecond)} at ${formatCount(lightest.level)} ${who} and ${formatRate(heaviest.perSecond)} at ${formatCount(heaviest.level)}. More ${who} only waited longer; saturation begins below ${formatCount(lightest.level)}.`,
      evidence: [
        `From ${formatCount(lightest.level)} to ${formatCount(heaviest.level)} ${who}, throughput stayed the same and latency grew ${formatNumber(heaviest.mean / lightest.mean)} times: R = N / X − Z.`,
        `The number of ${who} without failures says nothing here: they queued and were not served.`,
      ],
      figures: levels.map(({ name, level, perSecond, mean }) =>
        figure(`“${name}”, ${formatCount(level)} ${who}`, `${formatRate(perSecond)}, mean ${formatMs(mean)}`),
      ),
      remedy: one
        ? 'More workers, processes or servers let it process several at a time.'
        : `Run it again from ${formatCount(Math.max(1, Math.round(lightest.level / 8)))} ${who} upwards. Other findings and monitors show whether the server, the network or the load generator is the limit.`,
      confidence: 'likely',
      range:
        lightest.from === null || heaviest.to === null
          ? null
          : { fromSecond: Math.min(lightest.from, heaviest.from ?? lightest.from), toSecond: Math.max(heaviest.to, lightest.to ?? 0) },
    };
    return [found];
  },
};

/** Fewer readings, at one per second, show only the beginning of a run. */
const MIN_READINGS = 10;
/** A pool that has filled up no longer grows in the second half of the readings. Fewest readings there. */
const MIN_LATE_READINGS = 6;
/** Smallest growth, absolute and as a share. */
const MIN_GROWTH = 3;
const MIN_GROWTH_SHARE = 0.05;
/** Longest time to a limit that is reported. */
const MAX_AHEAD_SECONDS = 3_600;

type StageOfRun = MeasuredRun['stages'][number];

/** Finds a monitored count that grows under constant load and will reach its limit, such as leaked connections. */
export const limitAhead: Rule = {
  id: 'limitAhead',
  find({ monitors, stages }) {
    const steady = stages.filter(({ counted, level }) => counted && isSteady(level));
    const [stage] = steady.sort((one, other) => lengthOf(other) - lengthOf(one));
    return stage === undefined ? [] : monitors.flatMap(boundedBy).flatMap((bounded) => ahead(bounded, stage) ?? []);
  },
};

function ahead({ id, words, limit: { value: limit, words: limitWords }, readings: all }: Bounded, stage: StageOfRun): Found | null {
  const [from, to] = [stage.startedAtSecond ?? Infinity, stage.endedAtSecond ?? 0];
  const readings = all.filter(({ second, width }) => second >= from && second + width <= to);
  if (readings.length < MIN_READINGS) return null;
  const trend = trendOf(readings);
  const late = trendOf(readings.slice(-Math.max(MIN_LATE_READINGS, Math.floor(readings.length / 2))));
  if (trend === null || late === null || !grows(trend) || !grows(late) || !isNoticeable(trend, limit)) return null;
  const left = secondsToLimit(trend, limit);
  if (left === null || left.expected > MAX_AHEAD_SECONDS) return null;
  const range = rangeOf(readings);
  return {
    id: `${limitAhead.id}.${id}`,
    level: 'warning',
    sentence: `${words} grew by ${formatNumber(trend.perSecond * 60)} a minute at constant load, from ${formatCount(Math.round(trend.from))} to ${formatCount(Math.round(trend.to))}: ${
      left.expected === 0
        ? `that is the limit of ${formatCount(limit)}`
        : `at this pace it reaches its limit of ${formatCount(limit)} about ${formatSeconds(left.expected)} later`
    }.`,
    evidence: [
      `${readings.length} readings in “${stage.name}”; 95 % interval of the growth: ${formatNumber(trend.low * 60)} to ${formatNumber(trend.high * 60)} a minute.`,
      `The limit is ${limitWords}; reached between ${formatSeconds(left.earliest)} and ${left.latest === null ? 'never' : formatSeconds(left.latest)} after second ${formatNumber(range?.toSecond ?? null)}.`,
    ],
    remedy:
      'Something is opened and never released: look for a path that does not return a connection, first after errors. A longer test shows whether it stops: pools grow to their size and stay there.',
    confidence: 'likely',
    range,
    // It includes that the limit was reached without harm.
    insteadOf: [`limitReached.${id}`],
  };
}

function isNoticeable({ from, to }: Trend, limit: number): boolean {
  return to - from >= Math.max(MIN_GROWTH, MIN_GROWTH_SHARE * limit);
}

function lengthOf({ startedAtSecond, endedAtSecond }: StageOfRun): number {
  return (endedAtSecond ?? 0) - (startedAtSecond ?? 0);
}

/** Share of the limit from which it counts as reached, because one may be closing while another is refused. */
const MIN_REACHED_SHARE = 0.97;
/** Below this limit, one less is a large share, so all must be in use. */
const MIN_LIMIT_FOR_SHARE = 10;
/** Longest time between reaching the limit and the first failures. */
const MAX_DISTANCE_SECONDS = 3;
/** Smallest ratio of the failed shares after and before. */
const MIN_FAILURE_RATIO = 3;
const MIN_FAILED_SHARE = 0.05;

/** A resource with a limit. */
interface Limited {
  readonly id: string;
  /** Name at the beginning of a sentence. */
  readonly words: string;
  readonly limit: number;
  readonly readings: readonly Reading[];
  /** Less precise findings about it. */
  readonly insteadOf: readonly string[];
}

/** Finds a resource that was used up, and failures that began at that time. */
export const limitReached: Rule = {
  id: 'limitReached',
  find(facts) {
    return [...monitored(facts), ...watched(facts)].flatMap((bounded): Found[] => {
      if (bounded.readings.length < 2) return [];
      const at = bounded.readings.find(({ value }) => value >= reachedFrom(bounded.limit));
      // Steady growth towards the limit has rules of its own.
      if (at === undefined) return [];
      const failures = failuresAround(facts, at.second);
      const before = trendOf(bounded.readings.filter(({ second }) => second <= at.second));
      const together = failures.after >= MIN_FAILED_SHARE && failures.after >= MIN_FAILURE_RATIO * failures.before;
      return [
        {
          id: `${this.id}.${bounded.id}`,
          level: together ? 'problem' : 'warning',
          sentence: together
            ? `${bounded.words} reached its limit: ${formatNumber(at.value)} of ${formatNumber(bounded.limit)} in second ${formatNumber(at.second)}, and from then on ${formatPercent(failures.after)} of requests failed.`
            : `${bounded.words} reached its limit of ${formatNumber(bounded.limit)} in second ${formatNumber(at.second)}. No more requests failed than before; those that need one wait for it.`,
          evidence: [
            ...(before !== null && grows(before)
              ? [`Until then it grew by ${formatNumber(before.perSecond)} a second: (limit − start) / growth is the time until it is full.`]
              : []),
            'Required: processes × (pool + overflow) of all that use it. A program that leaks them uses up any limit; a larger one only delays that.',
          ],
          figures: [
            figure('Limit', formatNumber(bounded.limit)),
            figure('Highest reading', formatNumber(Math.max(...bounded.readings.map(({ value }) => value)))),
            figure('Reached in second', formatNumber(at.second)),
            figure('Failed before', formatPercent(failures.before)),
            failedSince(failures.after),
            ...(before === null ? [] : [figure('Growth until then', `${formatNumber(before.perSecond)} a second`)]),
          ],
          remedy:
            'Check what holds them, and fix programs that do not release them. If all are needed, use fewer processes or smaller pools, add a pooler (PgBouncer), or raise the limit as far as memory allows.',
          confidence: together ? 'likely' : 'certain',
          range: { fromSecond: at.second, toSecond: Math.max(at.second + 1, bounded.readings.at(-1)?.second ?? 0) },
          insteadOf: [
            ...bounded.insteadOf,
            ...(together ? ['unexpectedStatus.500', 'unexpectedStatus.503', `limitAhead.${bounded.id}`] : []),
          ],
        },
      ];
    });
  },
};

function reachedFrom(limit: number): number {
  return limit < MIN_LIMIT_FOR_SHARE ? limit : Math.min(MIN_REACHED_SHARE * limit, limit - 1);
}

function monitored({ monitors }: MeasuredRun): Limited[] {
  return monitors.flatMap(boundedBy).map(({ id, words, limit, readings }) => ({ id, words, limit: limit.value, readings, insteadOf: [] }));
}

function watched({ plan, generators }: MeasuredRun): Limited[] {
  return (plan.watch ?? []).flatMap(({ name, limit }): Limited[] => {
    if (limit === undefined) return [];
    const readings = watchedReadings(generators, name);
    return [{ id: name, words: `“${name}”`, limit, readings, insteadOf: [`watchedGrowth.${name}`] }];
  });
}

/** Shares of failed requests until shortly before a second, and from that second on. */
function failuresAround({ windows }: MeasuredRun, second: number): { readonly before: number; readonly after: number } {
  return {
    before: failedShare(windows.filter((point) => point.second + point.width <= second - MAX_DISTANCE_SECONDS)),
    after: failedShare(windows.filter((point) => point.second >= second)),
  };
}
