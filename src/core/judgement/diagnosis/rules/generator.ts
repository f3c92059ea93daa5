import { overloadWords, sickGeneratorNames } from '#core/result/generatorNames.ts';
import { overloadedSeconds, overloadOf } from '#core/result/overload.ts';
import type { Finding } from '#core/result/schema.ts';
import { atStart } from '#core/plan/hosts/places.ts';
import type { SickCause } from '#core/measurement/window.ts';
import { formatCount, formatMs, formatNumber, formatPercent, formatPortion, formatSeconds, formatShare } from '#core/base/units.ts';
import { answeredRequests, wantedRequests } from '#core/measurement/ledger.ts';
import { errorWords, isUnsent } from '#core/work/bodyCheck/words.ts';
import { forecastWork } from '#core/statistics/backlog.ts';
import { waitWords } from '#core/result/waits.ts';
import { figure, NEGLIGIBLE_SHARE, rangeOf, type Rule, type MeasuredRun } from '../rule.ts';
import { SICK_WORDS } from '#core/judgement/verdict/words.ts';

/** A machine that stood still is told by a rule of its own. */
type BusyCause = Exclude<SickCause, 'standstill'>;

const CAUSES: Readonly<Record<BusyCause, { readonly what: string; readonly remedy: string }>> = {
  threadCpu: {
    what: 'a thread that sends requests was fully busy',
    remedy: 'Use more threads if cores are idle, fewer connections, or a second machine.',
  },
  threadWait: {
    what: 'other programs kept a thread that sends requests from running',
    remedy: 'Close other programs there, or use a dedicated machine.',
  },
  eventLoopDelay: {
    what: 'a thread that sends requests was blocked',
    remedy: 'Close other programs there, or use more threads or a second machine.',
  },
  steal: { what: SICK_WORDS.steal, remedy: 'Repeat the test at a quieter time or on a dedicated machine.' },
  scheduleLag: { what: SICK_WORDS.scheduleLag, remedy: 'Use more threads, or a second machine.' },
  browser: {
    what: SICK_WORDS.browser,
    remedy: 'Send the load from another machine, watch from one, or watch no pages.',
  },
  noPort: {
    what: 'no port was left for new connections',
    remedy: 'Keep connections open (keep-alive), widen the port range, or use a second machine.',
  },
  noFile: {
    what: 'the limit of open files was reached',
    remedy: 'Raise it (ulimit -n): here before you start Holdfast, on a host for its user.',
  },
};

/**
 * Seconds in which what made the load, not the server, may be what was measured. One finding for each cause, with the machine's name: the most frequent one
 * warns, as do missing ports and files; the others are details of the same overload and stand below what the server did.
 */
export const generatorLimited: Rule = {
  id: 'generatorLimited',
  find({ windows, overload, generators }) {
    const whole = overloadOf({ overload, windows }).seconds;
    const total = windows.reduce((sum, { width }) => sum + width, 0);
    return causesIn(windows).map(([cause, sick], index): Finding => {
      const seconds = overloadedSeconds(sick);
      const part = seconds < whole ? `; in ${formatSeconds(seconds)} of it ` : ': ';
      const where = generators.length > 1 ? `, on ${sickGeneratorNames(generators, cause)}` : '';
      const { what, remedy } = CAUSES[cause];
      const isCertain = cause === 'noPort' || cause === 'noFile';
      return {
        id: `${this.id}.${cause}`,
        level: index === 0 || isCertain ? 'warning' : 'info',
        sentence: `${atStart(overloadWords(generators))} for ${formatSeconds(whole)} of ${formatSeconds(Math.max(whole, Math.round(total)))}${part}${what}${where}.`,
        evidence: [seconds >= total ? 'the whole run' : `${formatShare(seconds / total)} of the run`],
        remedy,
        confidence: isCertain ? 'certain' : 'likely',
        range: rangeOf(sick),
      };
    });
  },
};

/** The most frequent first. */
function causesIn(windows: MeasuredRun['windows']): [BusyCause, MeasuredRun['windows']][] {
  const byCause = new Map<BusyCause, MeasuredRun['windows']>();
  for (const window of windows)
    for (const cause of window.sick) if (cause !== 'standstill') byCause.set(cause, [...(byCause.get(cause) ?? []), window]);
  return [...byCause].toSorted(([, one], [, other]) => overloadedSeconds(other) - overloadedSeconds(one));
}

/** Requests that nobody answered before the plan's own patience was over: their true times are longer, by how much nobody knows. */
export const ownTimeout: Rule = {
  id: 'ownTimeout',
  find({ ledger, plan, windows, latency }) {
    const { requests } = ledger;
    if (requests.timeout === 0 || answeredRequests(requests) === 0 || requests.timeout < NEGLIGIBLE_SHARE * requests.sent) return [];
    const hit = windows.filter(({ errors }) => Object.keys(errors).some((error) => /TIMEOUT|ETIMEDOUT/.test(error)));
    const limit = formatMs(plan.timeoutSeconds * 1_000);
    return [
      {
        id: this.id,
        level: 'problem',
        sentence: `${formatCount(requests.timeout)} of ${formatCount(requests.sent)} requests (${formatShare(requests.timeout / requests.sent)}) timed out after ${limit}.`,
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

/** Requests that were never sent, since nothing had set a value that they need: the server is not to blame. Where there is no answer at all, `nothingAnswered` says it. */
export const notMade: Rule = {
  id: 'notMade',
  find({ ledger, steps }) {
    if (answeredRequests(ledger.requests) === 0) return [];
    return steps.flatMap(({ name, requests, errors }) => {
      if (requests.notMade === 0) return [];
      const wanted = wantedRequests(requests);
      return [
        {
          id: `${this.id}.${name}`,
          level: 'problem',
          sentence: `${formatCount(requests.notMade)} of ${formatCount(wanted)} requests of “${name}” were not sent because a value was missing; each of these journeys ended there.`,
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

/** A queue of fewer results than this is no queue. */
const LEAST_RESULTS = 10;

/** How fast a queue of results was worked off, and what that means for the work that is expected. */
export const backlog: Rule = {
  id: 'backlog',
  find({ waits, plan }) {
    return waits.flatMap((wait): Finding[] => {
      if (wait.begun < LEAST_RESULTS) return [];
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
