import { answeredRequests } from '#core/measurement/ledger.ts';
import { isSteady } from '#core/work/load/stages.ts';
import { formatCount, formatMs, formatNumber, formatPercent, formatRate, formatSeconds } from '#core/base/units.ts';
import { grows, type Reading, secondsToLimit, type Trend, trendOf } from '#core/statistics/trend.ts';
import { failedShare, figure, type Found, rangeOf, type Rule, type MeasuredRun, sickShare, watchedReadings, failedSince } from '../rule.ts';
import { type Bounded, boundedBy } from '../bounded.ts';

/** Rates that differ by no more are the same. */
const FLAT = 1.12;
/** The highest level has to be so many times the lowest to show anything. */
const LEAST_RANGE = 2;
/** Times have to grow by this part of what the levels grow by. */
const GROWS_ALONG = 0.7;
const LEAST_ANSWERS = 50;
const MOST_FAILED = 0.05;
const MOST_SICK = 0.2;

/** Already the lightest level of a series got as many answers a second as the heaviest: where the limit begins lies below all of them. */
export const saturatedBelow: Rule = {
  id: 'saturatedBelow',
  find(facts) {
    const levels = facts.stages
      .flatMap(({ name, counted, level, rates, latency, requests, startedAtSecond, endedAtSecond }) => {
        const perSecond = rates.completedPerSecond;
        const mean = latency.response.mean;
        const isLevel = counted && level.unit !== 'arrivalsPerSecond' && isSteady(level);
        if (!isLevel || perSecond === null || typeof mean !== 'number' || answeredRequests(requests) < LEAST_ANSWERS) return [];
        // What fails is quick and says nothing of what it can do.
        if (requests.sent - requests.ok > MOST_FAILED * requests.sent) return [];
        return [{ name, level: level.to, unit: level.unit, perSecond, mean, from: startedAtSecond, to: endedAtSecond }];
      })
      .toSorted((one, other) => one.level - other.level);
    const [lightest, heaviest] = [levels[0], levels.at(-1)];
    if (lightest === undefined || heaviest === undefined || heaviest.level < LEAST_RANGE * lightest.level || sickShare(facts) > MOST_SICK)
      return [];
    const rates = levels.map(({ perSecond }) => perSecond);
    if (Math.max(...rates) > FLAT * Math.min(...rates)) return [];
    // With pauses between, the same rate of more visitors would need no longer times.
    if (heaviest.mean / lightest.mean < GROWS_ALONG * (heaviest.level / lightest.level)) return [];
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
        `The number of ${who} that it “held” says nothing here: they queued and were not served.`,
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

/** Fewer readings, one a second, tell of the beginning of a run and of nothing that lasts. */
const LEAST_READINGS = 10;
/** What has filled up, as a pool does, no longer grows in the last part of it: of half of the readings, at least so many. */
const LEAST_LATE = 6;
/** Less growth than these is nobody's worry. */
const LEAST_GROWTH = 3;
const LEAST_GROWTH_SHARE = 0.05;
/** A limit that is further away belongs to another test. */
const AHEAD_SECONDS = 3_600;

type StageOfRun = MeasuredRun['stages'][number];

/** Something that a monitor counts grows under a load that stays the same, and has a limit that it will reach: connections that are not given back. */
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
  if (readings.length < LEAST_READINGS) return null;
  const trend = trendOf(readings);
  const late = trendOf(readings.slice(-Math.max(LEAST_LATE, Math.floor(readings.length / 2))));
  if (trend === null || late === null || !grows(trend) || !grows(late) || !isNoticeable(trend, limit)) return null;
  const left = secondsToLimit(trend, limit);
  if (left === null || left.expected > AHEAD_SECONDS) return null;
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
    // That it was reached without harm is part of it.
    insteadOf: [`limitReached.${id}`],
  };
}

function isNoticeable({ from, to }: Trend, limit: number): boolean {
  return to - from >= Math.max(LEAST_GROWTH, LEAST_GROWTH_SHARE * limit);
}

function lengthOf({ startedAtSecond, endedAtSecond }: StageOfRun): number {
  return (endedAtSecond ?? 0) - (startedAtSecond ?? 0);
}

/** From this share of the limit on it is reached, or one below it: who asks for more is refused while one is being closed. */
const REACHED = 0.97;
/** Of fewer one less is a good part: then all of them are in use or it was not reached. */
const LEAST_FOR_NEARLY = 10;
/** Failures that began at most so many seconds before or after it belong to it. */
const TOGETHER_SECONDS = 3;
/** This many times as large a share fails from then on. */
const MORE_FAIL = 3;
const FAILING = 0.05;

/** What there is only so much of. */
interface Limited {
  readonly id: string;
  /** As it begins a sentence. */
  readonly words: string;
  readonly limit: number;
  readonly readings: readonly Reading[];
  /** Findings about it that say less. */
  readonly insteadOf: readonly string[];
}

/** Something of which there is only so much was used up, and perhaps failures began with it. */
export const limitReached: Rule = {
  id: 'limitReached',
  find(facts) {
    return [...monitored(facts), ...watched(facts)].flatMap((bounded): Found[] => {
      if (bounded.readings.length < 2) return [];
      const at = bounded.readings.find(({ value }) => value >= reachedFrom(bounded.limit));
      // What only grows towards its limit has rules of its own.
      if (at === undefined) return [];
      const failures = failuresAround(facts, at.second);
      const before = trendOf(bounded.readings.filter(({ second }) => second <= at.second));
      const together = failures.after >= FAILING && failures.after >= MORE_FAIL * failures.before;
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
  return limit < LEAST_FOR_NEARLY ? limit : Math.min(REACHED * limit, limit - 1);
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

/** Shares of the requests that failed until shortly before a second, and from it on. */
function failuresAround({ windows }: MeasuredRun, second: number): { readonly before: number; readonly after: number } {
  return {
    before: failedShare(windows.filter((point) => point.second + point.width <= second - TOGETHER_SECONDS)),
    after: failedShare(windows.filter((point) => point.second >= second)),
  };
}
