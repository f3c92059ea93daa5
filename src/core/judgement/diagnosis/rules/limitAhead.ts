import { isSteady } from '#core/work/load/stages.ts';
import { grows, secondsToLimit, trendOf, type Trend } from '#core/statistics/trend.ts';
import { formatCount, formatNumber, formatSeconds } from '#core/base/units.ts';
import { boundedBy, type Bounded } from '../bounded.ts';
import { rangeOf, type Found, type Rule, type RunFacts } from '../rule.ts';

/** Fewer readings, one a second, tell of the beginning of a run and of nothing that lasts. */
const LEAST_READINGS = 10;
/** What has filled up, as a pool does, no longer grows in the last part of it: of half of the readings, at least so many. */
const LEAST_LATE = 6;
/** Less growth than these is nobody's worry. */
const LEAST_GROWTH = 3;
const LEAST_GROWTH_SHARE = 0.05;
/** A limit that is further away belongs to another test. */
const AHEAD_SECONDS = 3_600;

type StageOfRun = RunFacts['stages'][number];

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
    sentence: `${words} grew by ${formatNumber(trend.perSecond * 60)} a minute while the load stayed the same, from ${formatCount(Math.round(trend.from))} to ${formatCount(Math.round(trend.to))}: ${
      left.expected === 0
        ? `that is the limit of ${formatCount(limit)}`
        : `at this pace it reaches its limit of ${formatCount(limit)} about ${formatSeconds(left.expected)} later`
    }.`,
    evidence: [
      `${readings.length} readings in “${stage.name}”; 95 % interval of the growth: ${formatNumber(trend.low * 60)} to ${formatNumber(trend.high * 60)} a minute.`,
      `The limit is ${limitWords}; reached between ${formatSeconds(left.earliest)} and ${left.latest === null ? 'never' : formatSeconds(left.latest)} after second ${formatNumber(range?.toSecond ?? null)}.`,
    ],
    remedy:
      'Something is opened and not given back: look for a path on which a connection is not returned, first of all after errors. A longer test shows whether it stops: pools grow to their size and stay there.',
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
