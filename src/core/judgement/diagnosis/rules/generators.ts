import { capitalize } from '#core/base/text.ts';
import { OVERLOAD_WORDS, formatOverloadedNames, listOverloadedGenerators, formatOverload } from '#core/result/generatorNames.ts';
import { countOverloadedSeconds, findOverload } from '#core/result/overload.ts';
import type { Finding, GeneratorReading } from '#core/result/schema.ts';
import { capitalizeStart, joinNames } from '#core/plan/hosts/generatorNames.ts';
import {
  formatCount,
  formatMs,
  formatNumber,
  formatPart,
  formatPercent,
  formatPercentile,
  formatRate,
  formatSeconds,
  formatShare,
} from '#core/base/units.ts';
import { countResponses, countWanted } from '#core/measurement/requestOutcomes.ts';
import { formatErrorName, isUnsent } from '#core/work/bodyCheck/errorTexts.ts';
import { readErrorName } from '#core/base/errorNames.ts';
import { forecastWork } from '#core/statistics/backlog.ts';
import { waitWords } from '#core/result/waits.ts';
import {
  type Draft,
  figure,
  type Figure,
  MAX_NEGLIGIBLE_SHARE,
  type MeasuredRun,
  rangeOf,
  rangeOfStage,
  rule,
  secondsOf,
  overloadedShare,
} from '../rule.ts';
import { isSteady } from '#core/work/load/stages.ts';
import { findDip } from '#core/statistics/dip.ts';

/** Lists the causes of an overload. Standstills, and missing ports or files, have rules of their own. */
function listCauses(facts: MeasuredRun): NonNullable<Finding['causes']> {
  const { windows, generators } = facts;
  return findOverload({ windows }).causes.flatMap(({ cause, seconds }) => {
    if (cause === 'standstill' || ((cause === 'noPort' || cause === 'noFile') && isShort(facts, cause))) return [];
    return [
      {
        cause,
        seconds,
        ...(generators.length > 1 ? { generators: listOverloadedGenerators(generators, cause).map(({ name }) => name) } : {}),
      },
    ];
  });
}

/** Finds seconds in which the load generator, not the server, may have been measured. All causes share one finding. */
export const generatorLimited = rule('generatorLimited', (facts) => {
  const { windows, overload, generators } = facts;
  const causes = listCauses(facts);
  const [main] = causes;
  if (main === undefined) return [];
  const limited = windows.filter(({ overloadedBy }) => causes.some(({ cause }) => overloadedBy.includes(cause)));
  const [whole, seconds] = [findOverload({ overload, windows }).seconds, countOverloadedSeconds(limited)];
  const total = secondsOf(windows);
  const { what, remedy } = OVERLOAD_WORDS[main.cause];
  const where = main.generators === undefined ? '' : `, on ${joinNames(main.generators)}`;
  const why =
    causes.length > 1
      ? `, for ${formatCount(causes.length)} reasons`
      : `${seconds < whole ? `; in ${formatSeconds(seconds)} of it ` : ': '}${what}${where}`;
  return {
    level: 'warning',
    sentence: `${capitalizeStart(formatOverload(generators))} for ${formatSeconds(whole)} of ${formatSeconds(Math.max(whole, Math.round(total)))}${why}.`,
    evidence: [seconds >= total ? 'the whole run' : `${formatShare(seconds / total)} of the run`],
    remedy: causes.length > 1 ? 'Remove the most frequent cause first, then run the test again.' : remedy,
    causes,
    confidence: causes.every(({ cause }) => cause === 'noPort' || cause === 'noFile') ? 'certain' : 'likely',
    range: rangeOf(limited),
  };
});

/** Finds requests that exceeded the plan's own time-out. Their true times are longer by an unknown amount. */
export const ownTimeout = rule('ownTimeout', ({ outcomes, plan, windows, latency }) => {
  const { requests } = outcomes;
  if (requests.timeout === 0 || countResponses(requests) === 0 || requests.timeout < MAX_NEGLIGIBLE_SHARE * requests.sent) return [];
  const hit = windows.filter(({ errors }) => Object.keys(errors).some((error) => /TIMEOUT|ETIMEDOUT/.test(error)));
  const limit = formatMs(plan.timeoutSeconds * 1_000);
  return {
    level: 'problem',
    sentence: `${capitalize(formatPart(requests.timeout, requests.sent))} requests (${formatShare(requests.timeout / requests.sent)}) timed out after ${limit}.`,
    evidence: ['Response times do not include them. Error-adjusted times do: there, each counts as “never”.'],
    figures: [
      figure('Timed out', formatCount(requests.timeout)),
      figure('p95 of responses', formatMs(latency.response.p95)),
      figure('p95 of all requests', formatMs(latency.errorAdjusted.p95)),
    ],
    remedy: 'Users leave long before. Find what the server waits for at that time: a queue, a lock, a pool without a free connection.',
    range: rangeOf(hit),
  };
});

/**
 * Finds requests that were not sent because a value was missing. If there was no response at all, `nothingResponded` reports that instead.
 */
export const notMade = rule('notMade', ({ outcomes, steps, plan }) => {
  if (countResponses(outcomes.requests) === 0) return [];
  return steps.flatMap(({ name, requests, errors }) => {
    if (requests.notMade === 0) return [];
    const wanted = countWanted(requests);
    const [missing] = Object.entries(errors)
      .flatMap(([error, count]) => (isUnsent(error) ? [{ error, count }] : []))
      .toSorted((one, other) => other.count - one.count);
    return {
      of: name,
      level: 'problem',
      sentence: `${capitalize(formatPart(requests.notMade, wanted))} requests of “${name}” were not sent because ${describeMissingValue(plan, name, missing?.error)}; each of these journeys ended there.`,
      evidence: Object.entries(errors).flatMap(([error, count]) =>
        isUnsent(error) ? [`${formatErrorName(error)}: ${formatCount(count)}`] : [],
      ),
      remedy:
        requests.notMade === wanted
          ? 'An earlier response sets a cookie or contains a value to capture. Send the journey once to see which response should have set it.'
          : 'Some earlier responses differed under load and did not contain the value. See “Failure samples”.',
    };
  });
});

/**
 * Names the response that lacks the required value, if the plan shows which one: the source of the capture, or the only response that can
 * have set the cookie.
 */
function describeMissingValue({ journey }: MeasuredRun['plan'], name: string, error = ''): string {
  const { label } = readErrorName(error);
  const value = label?.match(/^\{\{([^.}]*)(?:\.([^}]*))?\}\}$/);
  const at = journey.findIndex((step) => step.name === name);
  const earlier = journey.slice(0, Math.max(0, at));
  const source = earlier.find(({ captures }) => captures?.some(({ as }) => as === value?.[1]));
  if (source !== undefined) return `“${source.name}” did not return ${label}`;
  const [first, ...others] = earlier;
  if (value?.[1] === 'cookie' && first !== undefined && others.length === 0) return `“${first.name}” did not set the cookie “${value[2]}”`;
  return 'a value was missing';
}

const MIN_RESULTS = 10;

/** Reports how fast a queue of results was worked off, with a forecast for the expected work. */
export const backlog = rule('backlog', ({ waits, plan }) =>
  waits.flatMap((wait) => {
    if (wait.begun < MIN_RESULTS) return [];
    const missingCount = wait.begun - wait.came;
    const overdue = wait.overdue ?? missingCount;
    const expected = plan.demand?.results?.step === wait.step ? plan.demand.results : undefined;
    const forecast = expected === undefined || wait.perSecond === null ? null : forecastWork(expected, wait.perSecond);
    const isMore = forecast !== null && forecast.waiting >= 1;
    const isBehind = isMore && !wait.keptUp;
    return {
      of: wait.step,
      level: isBehind ? 'problem' : overdue > 0 ? 'warning' : 'info',
      sentence: `${waitWords(wait)} ${forecast === null ? '' : formatWaiting(forecast, wait.keptUp)}`.trim(),
      evidence: [
        `At most ${formatCount(wait.most)} were pending at once${wait.mostAtSecond === null ? '' : `, at second ${formatNumber(wait.mostAtSecond)}`}.`,
        `${formatPercentile(50)} of results came within ${formatMs(wait.times.p50)}, ${formatPercentile(95)} within ${formatMs(wait.times.p95)}, the slowest within ${formatMs(wait.times.max)}.`,
        missingCount > 0 &&
          wait.overdue === 0 &&
          'The missing results began too shortly before the end to arrive; results took no longer than before.',
        forecast !== null &&
          expected !== undefined &&
          `Expected: ${formatCount(expected.count)} in ${formatSeconds(expected.overSeconds)}, which needs ${formatPercent(forecast.usual)} of this rate${forecast.rush === null || expected.rush === undefined ? '' : `; ${formatCount(expected.rush.count)} of them in the last ${formatSeconds(expected.rush.overSeconds)}, which needs ${formatPercent(forecast.rush)}`}.`,
      ],
      remedy: isBehind
        ? 'Add workers: throughput grows with their number until the database or the network is busy. Run this again with twice as many to check.'
        : overdue > 0
          ? 'Run the test until all results can arrive, or check whether the workers are stuck.'
          : isMore
            ? 'Send at least as many a second as are expected, to see what the workers can do.'
            : 'More workers make it faster until something else is busy. Run this again with twice as many, and compare the rates.',
      confidence: missingCount > 0 ? 'likely' : 'certain',
    };
  }),
);

function formatWaiting({ waiting, behindSeconds }: { waiting: number; behindSeconds: number }, keptUp: boolean): string {
  if (waiting >= 1 && keptUp) return 'More than that is expected; whether it can be done was not measured.';
  if (waiting < 1) return 'At this rate, the expected work never lags behind by more than the time of one result.';
  return `At this rate, ${formatCount(Math.round(waiting))} will be pending at the end of the expected work, ${formatSeconds(behindSeconds)} behind.`;
}

/** Finds load generators that had no port or file for a new connection. Requests that were never sent say nothing about the server. */
export const portsExhausted = rule('portsExhausted', (facts) => [
  isShort(facts, 'noPort') && findNoPort(facts),
  isShort(facts, 'noFile') && findNoFile(facts),
]);

type Shortage = 'noPort' | 'noFile';

/**
 * Returns whether requests were not sent because of a shortage. Without any response, the address may be wrong, which another rule reports.
 */
function isShort({ outcomes: { requests } }: Pick<MeasuredRun, 'outcomes'>, shortage: Shortage): boolean {
  return requests[shortage] > 0 && countResponses(requests) > 0;
}

function findNoPort(facts: MeasuredRun): Draft {
  const open = findMaxReading(facts, 'noPort', ({ sockets }) => sockets?.['established'] ?? null);
  const waiting = findMaxReading(facts, 'noPort', ({ timeWaitSockets }) => timeWaitSockets);
  const { connections } = facts.plan;
  const keptOpen = open !== null && open > (waiting ?? 0);
  return {
    ...commonParts(facts, 'noPort', 'ports for new connections'),
    of: 'generator',
    figures: [
      ...computeFigures(facts, 'noPort', 'without a port'),
      figure('Max connections open there', formatCount(open)),
      figure('Max ports in TIME_WAIT there', formatCount(waiting)),
    ],
    evidence: [
      'Each connection takes one port of the machine that opens it, for as long as it is open. If that machine closes first, the port stays in TIME_WAIT for 60 s. Linux has 28,232 ports for each server address.',
    ],
    remedy: keptOpen
      ? 'Connections that were still open held most ports. Let users share connections or close them (“connections.reuse” in the plan), widen the port range on the Hosts page, or send the load from more addresses or machines.'
      : connections.reuse === 'always'
        ? 'Widen the port range on the Hosts page, or send the load from more addresses or machines.'
        : 'Keep connections open between requests, widen the port range on the Hosts page, or send the load from more addresses or machines.',
  };
}

function findNoFile(facts: MeasuredRun): Draft {
  const files = findMaxReading(facts, 'noFile', ({ openFiles }) => openFiles);
  return {
    ...commonParts(facts, 'noFile', 'open files'),
    of: 'files',
    figures: [...computeFigures(facts, 'noFile', 'without a file'), figure('Max files open in Holdfast', formatCount(files))],
    evidence: ['Each connection is an open file of the program that holds it.'],
    remedy:
      'Raise the limit of open files (ulimit -n): here before you start Holdfast, on a host for its user. Or use fewer connections, or a second machine.',
  };
}

/** Returns whether an error belongs to a shortage. EADDRINUSE belongs to one only while connecting. */
const BELONGS_TO_SHORTAGE: Readonly<Record<Shortage, (code: string, phase: string | null) => boolean>> = {
  noPort: (code, phase) => code === 'EADDRNOTAVAIL' || (code === 'EADDRINUSE' && phase === 'connect'),
  noFile: (code) => code === 'EMFILE' || code === 'ENFILE',
};

function commonParts(facts: MeasuredRun, shortage: Shortage, what: string): Pick<Draft, 'level' | 'sentence' | 'confidence' | 'range'> {
  const count = facts.outcomes.requests[shortage];
  const hit = facts.windows.filter(({ errors }) =>
    Object.keys(errors).some((error) => {
      const { code, phase } = readErrorName(error);
      return BELONGS_TO_SHORTAGE[shortage](code, phase);
    }),
  );
  const sinceText = hit[0] === undefined ? '' : ` from second ${formatNumber(hit[0].second)} on`;
  const good = facts.latencyByStatusClass['2xx']?.p50 ?? null;
  const responses = good === null ? '' : ` Of the requests that were sent, the median response took ${formatMs(good)}.`;
  return {
    level: 'problem',
    sentence: `${capitalizeStart(formatOverloadedNames(facts.generators, shortage))} ran out of ${what}${sinceText}: ${formatCount(count)} requests were not sent. The server is not the cause.${responses}`,
    range: rangeOf(hit),
  };
}

function computeFigures({ outcomes, connectionsOpened }: MeasuredRun, shortage: Shortage, without: string): readonly Figure[] {
  return [
    figure(`Requests ${without}`, `${formatCount(outcomes.requests[shortage])} of ${formatCount(countWanted(outcomes.requests))}`),
    figure('Successful responses', formatCount(outcomes.requests.ok)),
    figure('Connections opened', formatCount(connectionsOpened)),
  ];
}

type ReadingOfRun = MeasuredRun['generators'][number]['readings'][number];

/** Returns the highest reading of the affected machines; null if none was taken. */
function findMaxReading({ generators }: MeasuredRun, shortage: Shortage, pick: (reading: ReadingOfRun) => number | null): number | null {
  const values = listOverloadedGenerators(generators, shortage).flatMap(({ readings }) =>
    readings.flatMap((reading) => pick(reading) ?? []),
  );
  return values.length === 0 ? null : Math.max(...values);
}

/** Finds a level with far fewer responses than lighter and heavier levels, because the server was in another state. */
export const rateDips = rule('rateDips', (facts) => {
  if (overloadedShare(facts) > 0.2) return [];
  const stages = facts.stages.filter(({ counted, level }) => counted && level.unit !== 'arrivalsPerSecond' && isSteady(level));
  const dip = findDip(
    stages.flatMap(({ name, level, requests, rates }) =>
      rates.completedPerSecond === null
        ? []
        : [{ name, level: level.to, responses: countResponses(requests), perSecond: rates.completedPerSecond }],
    ),
  );
  if (dip === null) return [];
  const { lighter, between, heavier } = dip;
  const stage = stages.find(({ name }) => name === between.name);
  return {
    level: 'warning',
    sentence: `The server was not steady: ${formatRate(between.perSecond)} in “${between.name}”, but ${formatRate(lighter.perSecond)} with less load in “${lighter.name}” and ${formatRate(heavier.perSecond)} with more in “${heavier.name}”.`,
    evidence: ['An overloaded server gets slower with more load, but not faster again with even more.'],
    figures: stages.map(({ name, level, rates, latency }) =>
      figure(`“${name}”, ${formatCount(level.to)}`, `${formatRate(rates.completedPerSecond)}, median ${formatMs(latency.response.p50)}`),
    ),
    remedy:
      'A cache was cold, something else ran on the server, or it was restarted. Warm it up with a stage that does not count, run all levels again, and trust only repeated results.',
    confidence: 'likely',
    range: rangeOfStage(stage),
    insteadOf: ['notSteady'],
  };
});

const MAX_LISTED = 3;

interface Span {
  readonly fromSecond: number;
  readonly toSecond: number;
  readonly ms: number;
}

/** Finds the longest standstills of each load generator: suspended, stopped, or without processor time. */
export const standstill = rule('standstill', ({ generators }) =>
  generators.flatMap(({ name, readings }, number) =>
    listSpans(readings)
      .toSorted((one, other) => other.ms - one.ms)
      .slice(0, MAX_LISTED)
      .map(({ fromSecond, toSecond, ms }) => ({
        of: `${number}.${fromSecond}`,
        level: 'warning',
        sentence: `${capitalizeStart(name)} stood still for ${formatSeconds(ms / 1_000)} from second ${fromSecond} on: it sent nothing and received no responses.`,
        evidence: [
          'none of its threads ran, or the machine was suspended',
          'requests scheduled then started late or not at all, and responses look slower than they were',
        ],
        remedy: OVERLOAD_WORDS.standstill.remedy,
        range: { fromSecond, toSecond },
      })),
  ),
);

/** Lists the standstills. Consecutive seconds are one standstill. */
function listSpans(readings: readonly GeneratorReading[]): Span[] {
  const spans: Span[] = [];
  let isGoing = false;
  for (const [index, { second, stoodStillMs }] of readings.entries()) {
    const ms = stoodStillMs ?? 0;
    const toSecond = readings[index + 1]?.second ?? second + 1;
    const last = spans.at(-1);
    if (ms > 0 && isGoing && last !== undefined) spans[spans.length - 1] = { ...last, toSecond, ms: last.ms + ms };
    else if (ms > 0) spans.push({ fromSecond: second, toSecond, ms });
    isGoing = ms > 0;
  }
  return spans;
}
