import { capitalized } from '#core/base/text.ts';
import { formatPart, formatCount, formatPercent, formatShare, type TimeMs } from '#core/base/units.ts';
import type { COUNTED } from '#core/plan/criteria.ts';
import { type Bounds, leastRequests } from '#core/statistics/bounds.ts';
import { failingFrom } from '#core/statistics/missedFrom.ts';
import type { Judgement } from '../input.ts';
import { lowerStart } from '../words.ts';
import { type OtherLimits, type ShareTest, testShare } from '../shareLimit.ts';
import { excessOf, type TimedBlock, noneCounted } from './counts.ts';

export interface ShareCriterion {
  readonly blocks: readonly TimedBlock[];
  readonly others: OtherLimits;
  readonly allowance: number;
  /** Text after "12 of 24,000 requests": "failed" or "were slower than 1 s or failed". */
  readonly overWords: string;
  /** Arrivals among them that could not start because too many responses were outstanding. */
  readonly notBegun: number;
  readonly measured: TimeMs;
  readonly limit: number;
  readonly unit: 'ms' | 'share';
  /** What is counted. */
  readonly things: keyof typeof COUNTED;
  /** Overloaded load generators, if any. */
  readonly slowMakers: string;
}

/** Judges a criterion on a share and gives the reason with numbers. */
export function judgeShareCriterion(criterion: ShareCriterion): Judgement {
  const { blocks, others, allowance, overWords, notBegun, measured, limit, unit, things, slowMakers } = criterion;
  const test = testShare(blocks, allowance, others);
  const over = test.surely + test.maybe;
  return {
    outcome: test.outcome,
    reason: reasonOf(
      test,
      allowance,
      notBegun === 0 ? overWords : `${overWords}, ${formatCount(notBegun)} of them because they could not start`,
      things,
      slowMakers,
    ),
    unknownBecause: test.unknownBecause,
    measured: test.counted === 0 ? null : measured,
    limit,
    unit,
    counted: test.counted,
    over,
    // Without any variation, a bound from the number of requests would claim more than these few seconds can show.
    shareLow: allowance === 0 || test.counted === 0 || (test.outcome === 'failed' && over === test.counted) ? null : test.bounds.low,
    shareHigh: allowance === 0 || test.counted === 0 || (test.outcome === 'passed' && over === 0) ? null : test.bounds.high,
    fromSecond: test.outcome === 'failed' ? failingFrom(excessOf(blocks, allowance)) : null,
  };
}

/** Minimum design effect from which the reason says that failures came in bursts. */
const MIN_BURST_EFFECT = 3;

function reasonOf(test: ShareTest, allowance: number, overWords: string, things: ShareCriterion['things'], slowMakers: string): string {
  const { counted, bounds } = test;
  if (counted === 0) return noneCounted(things);
  const over = test.surely + test.maybe;
  const found = `${over === 0 ? `None of ${formatCount(counted)}` : capitalized(formatPart(over, counted))} ${things} ${overWords}`;
  const { low, high, allowed } = shareWords(bounds, allowance);
  const burst = counted > MIN_BURST_EFFECT * test.independent;
  const rate = (bound: string): string => `${burst ? 'They came in bursts, so the' : 'The'} true rate is ${bound} (95 % confidence).`;
  const part = `${found} (${formatShare(over / counted)}); ${allowed} allowed.`;
  if (allowance === 0 && test.outcome === 'failed') return part;
  if (test.outcome === 'passed') return over === 0 ? `${found}; ${allowed} allowed.` : `${part} ${rate(`at most ${high}`)}`;
  if (test.outcome === 'failed') return over === counted ? `${found}; ${allowed} allowed.` : `${part} ${rate(`at least ${low}`)}`;
  switch (test.unknownBecause) {
    case 'generator':
      return `${found}. ${formatCount(test.maybe)} of them may come from the overload of ${slowMakers}, and whether they count decides the outcome.`;
    case 'tooFew':
      return `${found}. Too few to decide${burst || counted >= leastRequests(allowance) ? `, since responses that come in bursts prove no more than ${formatCount(Math.max(1, Math.round(test.independent)))} independent ones` : ''}: ${neededWords(allowance)}.`;
    default:
      return `${part} Too close to call: ${lowerStart(rate(`from ${low} to ${high}`))}`;
  }
}

/** A bound below this share is written as 0 %. */
const MIN_PRINTED_SHARE = 1e-7;

/** Formats the shares with {@link formatShare}, or in percent with more digits if they would equal the allowance. */
function shareWords({ low, high }: Bounds, allowance: number): { low: string; high: string; allowed: string } {
  const ways = [formatShare, ...[3, 4, 5, 6, 7, 8].map((digits) => (share: number) => formatPercent(share, digits))].map(
    (way) => (share: number) => way(share < MIN_PRINTED_SHARE ? 0 : share),
  );
  const tells = (way: (share: number) => string): boolean => way(low) !== way(allowance) && way(high) !== way(allowance);
  const way = ways.find(tells) ?? formatShare;
  return { low: way(low), high: way(high), allowed: allowance > 0 ? way(allowance) : 'none' };
}

function neededWords(allowance: number): string {
  return `at least ${formatCount(leastRequests(allowance))} are needed even if all succeed`;
}
