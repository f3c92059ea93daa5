import { capitalized } from '#core/base/text.ts';
import { overloadWords, overloadedGenerators } from '#core/result/generatorNames.ts';
import { overloadedSeconds, overloadOf } from '#core/result/overload.ts';
import { OVERLOAD_WORDS } from '#core/result/overloadWords.ts';
import type { Finding } from '#core/result/schema.ts';
import { atStart, inARow } from '#core/plan/hosts/places.ts';
import {
  formatPart,
  formatCount,
  formatMs,
  formatNumber,
  formatPercent,
  formatPortion,
  formatSeconds,
  formatShare,
} from '#core/base/units.ts';
import { answeredRequests, wantedRequests } from '#core/measurement/requestOutcomes.ts';
import { errorWords, isUnsent } from '#core/work/bodyCheck/words.ts';
import { readErrorName } from '#core/base/errorNames.ts';
import { forecastWork } from '#core/statistics/backlog.ts';
import { waitWords } from '#core/result/waits.ts';
import { figure, MAX_NEGLIGIBLE_SHARE, rangeOf, type Rule, type MeasuredRun } from '../rule.ts';
import { isShort } from './portsExhausted.ts';

/** Standstills, and missing ports or files, have rules of their own. */
function causesIn(facts: MeasuredRun): NonNullable<Finding['causes']> {
  const { windows, generators } = facts;
  return overloadOf({ windows }).causes.flatMap(({ cause, seconds }) => {
    if (cause === 'standstill' || ((cause === 'noPort' || cause === 'noFile') && isShort(facts, cause))) return [];
    return [
      { cause, seconds, ...(generators.length > 1 ? { generators: overloadedGenerators(generators, cause).map(({ name }) => name) } : {}) },
    ];
  });
}

/** Finds seconds in which the load generator, not the server, may have been measured; one finding for all causes. */
export const generatorLimited: Rule = {
  id: 'generatorLimited',
  find(facts) {
    const { windows, overload, generators } = facts;
    const causes = causesIn(facts);
    const [main] = causes;
    if (main === undefined) return [];
    const limited = windows.filter(({ overloadedBy }) => causes.some(({ cause }) => overloadedBy.includes(cause)));
    const [whole, seconds] = [overloadOf({ overload, windows }).seconds, overloadedSeconds(limited)];
    const total = windows.reduce((sum, { width }) => sum + width, 0);
    const { what, remedy } = OVERLOAD_WORDS[main.cause];
    const where = main.generators === undefined ? '' : `, on ${inARow(main.generators)}`;
    const why =
      causes.length > 1
        ? `, for ${formatCount(causes.length)} reasons`
        : `${seconds < whole ? `; in ${formatSeconds(seconds)} of it ` : ': '}${what}${where}`;
    return [
      {
        id: this.id,
        level: 'warning',
        sentence: `${atStart(overloadWords(generators))} for ${formatSeconds(whole)} of ${formatSeconds(Math.max(whole, Math.round(total)))}${why}.`,
        evidence: [seconds >= total ? 'the whole run' : `${formatShare(seconds / total)} of the run`],
        remedy: causes.length > 1 ? 'Remove the most frequent cause first, then run the test again.' : remedy,
        causes,
        confidence: causes.every(({ cause }) => cause === 'noPort' || cause === 'noFile') ? 'certain' : 'likely',
        range: rangeOf(limited),
      },
    ];
  },
};

/** Finds requests that exceeded the plan's own time-out. Their true times are longer by an unknown amount. */
export const ownTimeout: Rule = {
  id: 'ownTimeout',
  find({ outcomes, plan, windows, latency }) {
    const { requests } = outcomes;
    if (requests.timeout === 0 || answeredRequests(requests) === 0 || requests.timeout < MAX_NEGLIGIBLE_SHARE * requests.sent) return [];
    const hit = windows.filter(({ errors }) => Object.keys(errors).some((error) => /TIMEOUT|ETIMEDOUT/.test(error)));
    const limit = formatMs(plan.timeoutSeconds * 1_000);
    return [
      {
        id: this.id,
        level: 'problem',
        sentence: `${capitalized(formatPart(requests.timeout, requests.sent))} requests (${formatShare(requests.timeout / requests.sent)}) timed out after ${limit}.`,
        evidence: ['Response times do not include them. Error-adjusted times do: there, each counts as “never”.'],
        figures: [
          figure('Timed out', formatCount(requests.timeout)),
          figure('p95 of responses', formatMs(latency.response.p95)),
          figure('p95 of all requests', formatMs(latency.errorAdjusted.p95)),
        ],
        remedy: 'Users leave long before. Find what the server waits for at that time: a queue, a lock, a pool without a free connection.',
        confidence: 'certain',
        range: rangeOf(hit),
      },
    ];
  },
};

/** Finds requests that were not sent because a value was missing. Without any response, `nothingAnswered` reports it. */
export const notMade: Rule = {
  id: 'notMade',
  find({ outcomes, steps, plan }) {
    if (answeredRequests(outcomes.requests) === 0) return [];
    return steps.flatMap(({ name, requests, errors }) => {
      if (requests.notMade === 0) return [];
      const wanted = wantedRequests(requests);
      const [missing] = Object.entries(errors)
        .flatMap(([error, count]) => (isUnsent(error) ? [{ error, count }] : []))
        .toSorted((one, other) => other.count - one.count);
      return [
        {
          id: `${this.id}.${name}`,
          level: 'problem',
          sentence: `${capitalized(formatPart(requests.notMade, wanted))} requests of “${name}” were not sent because ${sourceWords(plan, name, missing?.error)}; each of these journeys ended there.`,
          evidence: Object.entries(errors).flatMap(([error, count]) =>
            isUnsent(error) ? [`${errorWords(error)}: ${formatCount(count)}`] : [],
          ),
          remedy:
            requests.notMade === wanted
              ? 'An earlier response sets a cookie or contains a value to capture. Send the journey once to see which response should have set it.'
              : 'Some earlier responses differed under load and did not contain the value. See “Failure samples”.',
          confidence: 'certain',
          range: null,
        },
      ];
    });
  },
};

/** Names the response without the required value, if the plan shows it: the source of the capture, or the only response that can have set the cookie. */
function sourceWords({ journey }: MeasuredRun['plan'], name: string, error = ''): string {
  const { label } = readErrorName(error);
  const value = label?.match(/^\{\{([^.}]*)(?:\.([^}]*))?\}\}$/);
  const earlier = journey.slice(
    0,
    Math.max(
      0,
      journey.findIndex((step) => step.name === name),
    ),
  );
  const source = earlier.find(({ captures }) => captures?.some(({ as }) => as === value?.[1]));
  if (source !== undefined) return `“${source.name}” did not return ${label}`;
  const [first, ...others] = earlier;
  if (value?.[1] === 'cookie' && first !== undefined && others.length === 0) return `“${first.name}” did not set the cookie “${value[2]}”`;
  return 'a value was missing';
}

/** Fewest results of a queue. */
const MIN_RESULTS = 10;

/** Reports how fast a queue of results was worked off, with a forecast for the expected work. */
export const backlog: Rule = {
  id: 'backlog',
  find({ waits, plan }) {
    return waits.flatMap((wait): Finding[] => {
      if (wait.begun < MIN_RESULTS) return [];
      const left = wait.begun - wait.came;
      const overdue = wait.overdue ?? left;
      const expected = plan.demand?.results?.step === wait.step ? plan.demand.results : undefined;
      const ahead = expected === undefined || wait.perSecond === null ? null : forecastWork(expected, wait.perSecond);
      const isMore = ahead !== null && ahead.waiting >= 1;
      const isBehind = isMore && !wait.keptUp;
      return [
        {
          id: `${this.id}.${wait.step}`,
          level: isBehind ? 'problem' : overdue > 0 ? 'warning' : 'info',
          sentence: `${waitWords(wait)} ${ahead === null ? '' : aheadWords(ahead, wait.keptUp)}`.trim(),
          evidence: [
            `At most ${formatCount(wait.most)} were pending at once${wait.mostAtSecond === null ? '' : `, at second ${formatNumber(wait.mostAtSecond)}`}.`,
            `${formatPortion(50)} of results came within ${formatMs(wait.times.p50)}, ${formatPortion(95)} within ${formatMs(wait.times.p95)}, the slowest within ${formatMs(wait.times.max)}.`,
            ...(left === 0 || wait.overdue !== 0
              ? []
              : [`The missing results began too shortly before the end to arrive; results took no longer than before.`]),
            ...(ahead === null || expected === undefined
              ? []
              : [
                  `Expected: ${formatCount(expected.count)} in ${formatSeconds(expected.overSeconds)}, which needs ${formatPercent(ahead.usual)} of this rate${ahead.rush === null || expected.rush === undefined ? '' : `; ${formatCount(expected.rush.count)} of them in the last ${formatSeconds(expected.rush.overSeconds)}, which needs ${formatPercent(ahead.rush)}`}.`,
                ]),
          ],
          remedy: isBehind
            ? 'Add workers: throughput grows with their number until the database or the network is busy. Run this again with twice as many to check.'
            : overdue > 0
              ? 'Run the test until all results can arrive, or check whether the workers are stuck.'
              : isMore
                ? 'Send at least as many a second as are expected, to see what the workers can do.'
                : 'More workers make it faster until something else is busy. Run this again with twice as many, and compare the rates.',
          confidence: left > 0 ? 'likely' : 'certain',
          range: null,
        },
      ];
    });
  },
};

function aheadWords({ waiting, behindSeconds }: { waiting: number; behindSeconds: number }, keptUp: boolean): string {
  if (waiting >= 1 && keptUp) return 'More than that is expected; whether it can be done was not measured.';
  if (waiting < 1) return 'At this rate, the expected work never lags behind by more than the time of one result.';
  return `At this rate, ${formatCount(Math.round(waiting))} will be pending at the end of the expected work, ${formatSeconds(behindSeconds)} behind.`;
}
