import { grows, trendOf, type Reading } from '#core/statistics/trend.ts';
import { formatNumber, formatPercent } from '#core/base/units.ts';
import { boundedBy } from '../bounded.ts';
import { failedShare, figure, type Found, type Rule, type RunFacts } from '../rule.ts';
import { watchedReadings } from '../watched.ts';

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
            ? `${bounded.words} reached its limit: ${formatNumber(at.value)} of ${formatNumber(bounded.limit)} in second ${formatNumber(at.second)}, and from then on ${formatPercent(failures.after)} of the requests failed.`
            : `${bounded.words} reached its limit of ${formatNumber(bounded.limit)} in second ${formatNumber(at.second)}. No more requests failed for it than before; those that need one wait for it.`,
          evidence: [
            ...(before !== null && grows(before)
              ? [
                  `Until then it grew by ${formatNumber(before.perSecond)} a second: (limit − beginning) / growth is the time until it is full.`,
                ]
              : []),
            'Needed are processes × (pool + overflow) of all that use it. A program that does not give back what it takes uses up any limit: a larger one only postpones it.',
          ],
          figures: [
            figure('Limit', formatNumber(bounded.limit)),
            figure('Highest reading', formatNumber(Math.max(...bounded.readings.map(({ value }) => value)))),
            figure('Reached in second', formatNumber(at.second)),
            figure('Failed before', formatPercent(failures.before)),
            figure('Failed from then on', formatPercent(failures.after)),
            ...(before === null ? [] : [figure('Growth until then', `${formatNumber(before.perSecond)} a second`)]),
          ],
          remedy:
            'See who holds them: programs that do not give them back have to be mended. If all are needed, use fewer processes or smaller pools, put a pooler between (PgBouncer), or raise the limit as far as memory allows.',
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

function monitored({ monitors }: RunFacts): Limited[] {
  return monitors.flatMap(boundedBy).map(({ id, words, limit, readings }) => ({ id, words, limit: limit.value, readings, insteadOf: [] }));
}

function watched({ plan, generators }: RunFacts): Limited[] {
  return (plan.watch ?? []).flatMap(({ name, limit }): Limited[] => {
    if (limit === undefined) return [];
    const readings = watchedReadings(generators, name);
    return [{ id: name, words: `“${name}”`, limit, readings, insteadOf: [`watchedGrowth.${name}`] }];
  });
}

/** Shares of the requests that failed until shortly before a second, and from it on. */
function failuresAround({ windows }: RunFacts, second: number): { readonly before: number; readonly after: number } {
  return {
    before: failedShare(windows.filter((point) => point.second + point.width <= second - TOGETHER_SECONDS)),
    after: failedShare(windows.filter((point) => point.second >= second)),
  };
}
