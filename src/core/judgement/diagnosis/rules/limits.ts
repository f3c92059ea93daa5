import { countResponses } from '#core/measurement/requestOutcomes.ts';
import { isSteady } from '#core/work/load/stages.ts';
import { formatCount, formatMs, formatNumber, formatPercent, formatRate, formatSeconds } from '#core/base/units.ts';
import { isGrowing, type Reading, secondsToLimit, type Trend, findTrend } from '#core/statistics/trend.ts';
import {
  type Draft,
  failedShare,
  failedSinceFigure,
  figure,
  type MeasuredRun,
  rangeOf,
  rule,
  overloadedShare,
  watchedReadings,
} from '../rule.ts';
import { type MonitorLimit, type MonitorResult, keyParts } from '#core/machines/monitors/result.ts';
import { getOwn } from '#core/base/ownMembers.ts';

/** Maximum ratio at which two rates count as equal. */
const MAX_FLAT_RATIO = 1.12;
const MIN_LEVEL_RATIO = 2;
const MIN_TIME_GROWTH = 0.7;
const MIN_RESPONSES = 50;
const MAX_FAILED_SHARE = 0.05;
const MAX_OVERLOADED_SHARE = 0.2;

/** Finds levels that all lie above the limit: the lightest had the same throughput as the heaviest. */
export const saturatedBelow = rule('saturatedBelow', (facts) => {
  const levels = facts.stages
    .flatMap(({ name, counted, level, rates, latency, requests, startedAtSecond, endedAtSecond }) => {
      const perSecond = rates.completedPerSecond;
      const mean = latency.response.mean;
      const isLevel = counted && level.unit !== 'arrivalsPerSecond' && isSteady(level);
      if (!isLevel || perSecond === null || typeof mean !== 'number' || countResponses(requests) < MIN_RESPONSES) return [];
      // Levels with many failures are excluded, because failures are quick and do not show capacity.
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
  // With think time, more users at the same rate need not have longer response times.
  if (heaviest.mean / lightest.mean < MIN_TIME_GROWTH * (heaviest.level / lightest.level)) return [];
  const who = lightest.unit === 'users' ? 'users' : 'connections';
  const one = lightest.level === 1;
  return {
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
});

/** Minimum number of readings. Fewer, at one per second, show only the beginning of a run. */
const MIN_READINGS = 10;
/** Minimum number of readings in the second half of a stage. In that half, a full pool no longer grows. */
const MIN_LATE_READINGS = 6;
/** Minimum growth, absolute and as a share. */
const MIN_GROWTH = 3;
const MIN_GROWTH_SHARE = 0.05;
/** Maximum time to a limit that is reported, in seconds. */
const MAX_AHEAD_SECONDS = 3_600;

type StageOfRun = MeasuredRun['stages'][number];

/** Finds a monitored count that grows under constant load and will reach its limit, for example because connections leak. */
export const limitAhead = rule('limitAhead', ({ monitors, stages }) => {
  const steady = stages.filter(({ counted, level }) => counted && isSteady(level));
  const [stage] = steady.sort((one, other) => lengthOf(other) - lengthOf(one));
  return stage === undefined ? [] : monitors.flatMap(listBounded).map((bounded) => forecastLimit(bounded, stage));
});

function forecastLimit(
  { id, words, limit: { value: limit, words: limitWords }, readings: all }: BoundedCount,
  stage: StageOfRun,
): Draft | null {
  const [from, to] = [stage.startedAtSecond ?? Infinity, stage.endedAtSecond ?? 0];
  const readings = all.filter(({ second, width }) => second >= from && second + width <= to);
  if (readings.length < MIN_READINGS) return null;
  const trend = findTrend(readings);
  const late = findTrend(readings.slice(-Math.max(MIN_LATE_READINGS, Math.floor(readings.length / 2))));
  if (trend === null || late === null || !isGrowing(trend) || !isGrowing(late) || !isNoticeable(trend, limit)) return null;
  const timeLeft = secondsToLimit(trend, limit);
  if (timeLeft === null || timeLeft.expected > MAX_AHEAD_SECONDS) return null;
  const range = rangeOf(readings);
  return {
    of: id,
    level: 'warning',
    sentence: `${words} grew by ${formatNumber(trend.perSecond * 60)} a minute at constant load, from ${formatCount(Math.round(trend.from))} to ${formatCount(Math.round(trend.to))}: ${
      timeLeft.expected === 0
        ? `that is the limit of ${formatCount(limit)}`
        : `at this pace it reaches its limit of ${formatCount(limit)} about ${formatSeconds(timeLeft.expected)} later`
    }.`,
    evidence: [
      `${readings.length} readings in “${stage.name}”; 95 % interval of the growth: ${formatNumber(trend.low * 60)} to ${formatNumber(trend.high * 60)} a minute.`,
      `The limit is ${limitWords}; reached between ${formatSeconds(timeLeft.earliest)} and ${timeLeft.latest === null ? 'never' : formatSeconds(timeLeft.latest)} after second ${formatNumber(range?.toSecond ?? null)}.`,
    ],
    remedy:
      'Something is opened and never released: look for a path that does not return a connection, first after errors. A longer test shows whether it stops: pools grow to their size and stay there.',
    confidence: 'likely',
    range,
    // Replaces the finding that the limit was reached without harm.
    insteadOf: [`limitReached.${id}`],
  };
}

function isNoticeable({ from, to }: Trend, limit: number): boolean {
  return to - from >= Math.max(MIN_GROWTH, MIN_GROWTH_SHARE * limit);
}

function lengthOf({ startedAtSecond, endedAtSecond }: StageOfRun): number {
  return (endedAtSecond ?? 0) - (startedAtSecond ?? 0);
}

/** Share of a limit from which it counts as reached, because one connection may be closing while another is refused. */
const MIN_REACHED_SHARE = 0.97;
/** Minimum limit for which the share applies. For a lower one, a single connection is a large share, so all must be in use. */
const MIN_LIMIT_FOR_SHARE = 10;
/** Maximum time between reaching the limit and the first failures, in seconds. */
const MAX_DISTANCE_SECONDS = 3;
const MIN_FAILURE_RATIO = 3;
const MIN_FAILED_SHARE = 0.05;

/** A resource with a limit. */
interface LimitedResource {
  readonly id: string;
  /** Name at the beginning of a sentence. */
  readonly words: string;
  readonly limit: number;
  readonly readings: readonly Reading[];
  /** Less precise findings about the same resource. */
  readonly insteadOf: readonly string[];
}

/** Finds a resource that was used up, and failures that began when this happened. */
export const limitReached = rule('limitReached', (facts) =>
  [...listMonitoredLimits(facts), ...listGeneratorLimits(facts)].flatMap((bounded) => {
    if (bounded.readings.length < 2) return [];
    const at = bounded.readings.find(({ value }) => value >= minReachedCount(bounded.limit));
    // Steady growth towards the limit has rules of its own.
    if (at === undefined) return [];
    const failures = countFailuresAround(facts, at.second);
    const before = findTrend(bounded.readings.filter(({ second }) => second <= at.second));
    const together = failures.after >= MIN_FAILED_SHARE && failures.after >= MIN_FAILURE_RATIO * failures.before;
    return {
      of: bounded.id,
      level: together ? 'problem' : 'warning',
      sentence: together
        ? `${bounded.words} reached its limit: ${formatNumber(at.value)} of ${formatNumber(bounded.limit)} in second ${formatNumber(at.second)}, and from then on ${formatPercent(failures.after)} of requests failed.`
        : `${bounded.words} reached its limit of ${formatNumber(bounded.limit)} in second ${formatNumber(at.second)}. No more requests failed than before; those that need one wait for it.`,
      evidence: [
        before !== null &&
          isGrowing(before) &&
          `Until then it grew by ${formatNumber(before.perSecond)} a second: (limit − start) / growth is the time until it is full.`,
        'Required: processes × (pool + overflow) of all that use it. A program that leaks them uses up any limit; a larger one only delays that.',
      ],
      figures: [
        figure('Limit', formatNumber(bounded.limit)),
        figure('Highest reading', formatNumber(Math.max(...bounded.readings.map(({ value }) => value)))),
        figure('Reached in second', formatNumber(at.second)),
        figure('Failed before', formatPercent(failures.before)),
        failedSinceFigure(failures.after),
        before !== null && figure('Growth until then', `${formatNumber(before.perSecond)} a second`),
      ],
      remedy:
        'Check what holds them, and fix programs that do not release them. If all are needed, use fewer processes or smaller pools, add a pooler (PgBouncer), or raise the limit as far as memory allows.',
      confidence: together ? 'likely' : 'certain',
      range: { fromSecond: at.second, toSecond: Math.max(at.second + 1, bounded.readings.at(-1)?.second ?? 0) },
      insteadOf: [...bounded.insteadOf, ...(together ? ['unexpectedStatus.500', 'unexpectedStatus.503', `limitAhead.${bounded.id}`] : [])],
    };
  }),
);

function minReachedCount(limit: number): number {
  return limit < MIN_LIMIT_FOR_SHARE ? limit : Math.min(MIN_REACHED_SHARE * limit, limit - 1);
}

function listMonitoredLimits({ monitors }: MeasuredRun): LimitedResource[] {
  return monitors
    .flatMap(listBounded)
    .map(({ id, words, limit, readings }) => ({ id, words, limit: limit.value, readings, insteadOf: [] }));
}

function listGeneratorLimits({ plan, generators }: MeasuredRun): LimitedResource[] {
  return (plan.watch ?? []).flatMap(({ name, limit }): LimitedResource[] => {
    if (limit === undefined) return [];
    const readings = watchedReadings(generators, name);
    return [{ id: name, words: `“${name}”`, limit, readings, insteadOf: [`watchedGrowth.${name}`] }];
  });
}

/** Returns the shares of failed requests until shortly before a second, and from that second on. */
function countFailuresAround({ windows }: MeasuredRun, second: number): { readonly before: number; readonly after: number } {
  return {
    before: failedShare(windows.filter((point) => point.second + point.width <= second - MAX_DISTANCE_SECONDS)),
    after: failedShare(windows.filter((point) => point.second >= second)),
  };
}

/** A count with an upper limit, such as connections of a database or sessions of a proxy. */
interface BoundedCount {
  /** Unique among the bounded counts of a run. It ends the ids of findings about the count. */
  readonly id: string;
  /** Name inside a sentence. */
  readonly words: string;
  readonly limit: MonitorLimit;
  /** Readings, each of which covers `width` seconds from `second` on. */
  readonly readings: readonly (Reading & { readonly width: number })[];
}

/** Returns those counts of a monitor that have a limit, with their readings. Memory and links of a machine are not counts. */
function listBounded(monitor: MonitorResult): BoundedCount[] {
  if (monitor.kind === 'machine') return [];
  return monitor.limits.flatMap((limit) => {
    const key = keyOfWhole(monitor, limit);
    if (key === null) return [];
    const { instance } = keyParts(key);
    const readings = (getOwn(monitor.values, key) ?? []).flatMap((value, row) =>
      value === null ? [] : [{ second: monitor.second[row] ?? 0, width: monitor.width[row] ?? 1, value }],
    );
    const of = instance === null ? monitor.name : `${instance} at ${monitor.name}`;
    const id = `${monitor.name}.${limit.chart}${instance === null ? '' : `.${instance}`}`;
    return [{ id, words: `“${limit.chart}” of ${of}`, limit, readings }];
  });
}

/**
 * Returns the key of the quantity that is the total. The first quantity of a chart is the total of the others. If the chart has several
 * instances, the limit names one.
 */
function keyOfWhole({ quantities, values }: MonitorResult, { chart, instance: of }: MonitorLimit): string | null {
  const counts = quantities.filter((quantity) => quantity.chart === chart && quantity.unit === 'count');
  for (const { id: whole } of counts) {
    const found = Object.keys(values).find((key) => {
      const { id, instance } = keyParts(key);
      return id === whole && (instance === null || instance === of);
    });
    if (found !== undefined) return found;
  }
  return null;
}

/** Minimum length of a stage in seconds. A shorter one shows mostly its own beginning. */
const MIN_SECONDS = 30;
/** Minimum slowdown from beginning to end, as a share and in ms. */
const MIN_SLOWDOWN_SHARE = 0.2;
const MIN_SLOWDOWN_MS = 10;

/** Finds watched numbers that grow, with the time until they reach their limit. */
export const watchedGrowth = rule('watchedGrowth', ({ plan, generators }) =>
  (plan.watch ?? []).flatMap(({ name, limit }) => {
    const readings = watchedReadings(generators, name);
    const trend = findTrend(readings);
    if (readings.length === 0)
      return {
        of: name,
        level: 'warning',
        sentence: `“${name}” could not be read during the run.`,
        evidence: ['Its address returned no number.'],
        remedy: 'Open its address: it must return a number, or JSON with a number at the path that the plan names.',
      };
    if (trend === null || trend.seconds < MIN_SECONDS || !isGrowing(trend)) return [];
    const timeLeft = limit === undefined ? null : secondsToLimit(trend, limit);
    return {
      of: name,
      level: limit === undefined ? 'info' : 'warning',
      sentence: `“${name}” grew by ${perMinute(trend.perSecond)} a minute, from ${formatNumber(trend.from)} to ${formatNumber(trend.to)}${
        timeLeft === null || limit === undefined
          ? ''
          : `: at this pace it reaches ${formatNumber(limit)} about ${formatSeconds(timeLeft.expected)} after the end of the test`
      }.`,
      evidence: [
        `${readings.length} readings in ${formatSeconds(trend.seconds)}; 95 % interval of the growth: ${perMinute(trend.low)} to ${perMinute(trend.high)} a minute.`,
        timeLeft !== null &&
          `Between ${formatSeconds(timeLeft.earliest)} and ${timeLeft.latest === null ? 'never' : formatSeconds(timeLeft.latest)}.`,
      ],
      remedy:
        'Something is opened and never released. A longer test shows whether it stops: pools grow to their size and stay there, leaks keep growing.',
      confidence: 'likely',
    };
  }),
);

/** Finds responses that become slower under constant load. */
export const slowerAndSlower = rule('slowerAndSlower', (facts) =>
  facts.stages.flatMap((stage) => {
    const { level, startedAtSecond, endedAtSecond: to } = stage;
    if (!stage.counted || !isSteady(level) || startedAtSecond === null || to === null) return [];
    const from = startedAtSecond + startUpSecondsCounted(facts, stage.name);
    const trend = findTrend(latencyReadings(facts, from, to));
    if (trend === null || trend.seconds < MIN_SECONDS || !isGrowing(trend) || !isSlowdown(trend)) return [];
    return {
      of: stage.name,
      level: 'warning',
      sentence: `Responses slowed down throughout “${stage.name}” at constant load: the median grew from ${formatMs(trend.from)} to ${formatMs(trend.to)}.`,
      evidence: [
        `By ${formatMs(trend.perSecond * 60)} a minute; 95 % interval: ${formatMs(trend.low * 60)} to ${formatMs(trend.high * 60)}.`,
      ],
      remedy: 'Something fills up: a queue, memory, a table without an index. Run it longer to see where it ends.',
      confidence: 'likely',
      range: { fromSecond: from, toSecond: to },
    };
  }),
);

/** Returns the counted start-up of users in seconds, during which the load grows. */
function startUpSecondsCounted({ plan }: MeasuredRun, name: string): number {
  const stage = plan.load.stages.find((one) => one.name === name);
  return stage !== undefined && 'users' in stage && stage.startUpCounts === true ? stage.startUpSeconds : 0;
}

function latencyReadings({ windows }: MeasuredRun, from: number, to: number): Reading[] {
  return windows.flatMap(({ second, width, p50 }) =>
    p50 === null || second < from || second + width > to ? [] : [{ second: second + width / 2, value: p50 }],
  );
}

function isSlowdown({ from, to }: Trend): boolean {
  return to - from > MIN_SLOWDOWN_MS && to - from > MIN_SLOWDOWN_SHARE * Math.max(0, from);
}

function perMinute(perSecond: number): string {
  return formatNumber(perSecond * 60);
}
