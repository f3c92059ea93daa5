import { capitalize } from '#core/base/text.ts';
import { formatCount, formatMs, formatPart, formatPercent, formatShare, type TimeMs } from '#core/base/units.ts';
import type { COUNTED_NOUNS } from '#core/plan/criteria.ts';
import { type Bounds, CONFIDENCE, minRequests } from '#core/statistics/bounds.ts';
import { type JudgeInput, type Judgement, completeJudgement, type Scope } from '../input.ts';
import { uncapitalize } from '../labels.ts';
import {
  listBlocksOver,
  countRequests,
  type DoubtfulBlock,
  computeExcess,
  formatNoneCounted,
  type OtherLimits,
  findOtherLimits,
  reading,
  type ShareTest,
  testShare,
  type TimedBlock,
  splitDoubtful,
} from './counts.ts';
import { APDEX_SAMPLES } from '#core/review/checks/criteria.ts';
import type { Criterion } from '#core/plan/schema/plan.ts';
import { formatOverloadedNames } from '#core/result/generatorNames.ts';
import { findFailingSecond, rateApdex } from '#core/statistics/latency.ts';

export interface ShareCriterion {
  readonly blocks: readonly TimedBlock[];
  readonly others: OtherLimits;
  readonly allowance: number;
  /** Text after "12 of 24,000 requests": "failed" or "were slower than 1 s or failed". */
  readonly overWords: string;
  /** Number of arrivals that could not start because too many responses were outstanding. They count as over the limit. */
  readonly notBegun: number;
  readonly measured: TimeMs;
  readonly limit: number;
  readonly unit: 'ms' | 'share';
  readonly things: keyof typeof COUNTED_NOUNS;
  /** Names of overloaded load generators; empty if there are none. */
  readonly slowGeneratorNames: string;
}

/** Judges a criterion on a share and gives the reason with numbers. */
export function judgeShareCriterion(criterion: ShareCriterion): Judgement {
  const { blocks, others, allowance, overWords, notBegun, measured, limit, unit, things, slowGeneratorNames } = criterion;
  const test = testShare(blocks, allowance, others);
  const over = test.surely + test.maybe;
  return {
    outcome: test.outcome,
    reason: describeReason(
      test,
      allowance,
      notBegun === 0 ? overWords : `${overWords}, ${formatCount(notBegun)} of them because they could not start`,
      things,
      slowGeneratorNames,
    ),
    unknownBecause: test.unknownBecause,
    measured: test.counted === 0 ? null : measured,
    limit,
    unit,
    counted: test.counted,
    over,
    // If nothing varies, a bound computed from the number of requests would claim more than the few seconds can show.
    shareLow: allowance === 0 || test.counted === 0 || (test.outcome === 'failed' && over === test.counted) ? null : test.bounds.low,
    shareHigh: allowance === 0 || test.counted === 0 || (test.outcome === 'passed' && over === 0) ? null : test.bounds.high,
    fromSecond: test.outcome === 'failed' ? findFailingSecond(computeExcess(blocks, allowance)) : null,
  };
}

/** Design effect from which the reason says that failures came in bursts. */
const MIN_BURST_EFFECT = 3;

function describeReason(
  test: ShareTest,
  allowance: number,
  overWords: string,
  things: ShareCriterion['things'],
  slowGeneratorNames: string,
): string {
  const { counted, bounds } = test;
  if (counted === 0) return formatNoneCounted(things);
  const over = test.surely + test.maybe;
  const found = `${over === 0 ? `None of ${formatCount(counted)}` : capitalize(formatPart(over, counted))} ${things} ${overWords}`;
  const { low, high, allowed } = formatShares(bounds, allowance);
  const burst = counted > MIN_BURST_EFFECT * test.independent;
  const rate = (bound: string): string => `${burst ? 'They came in bursts, so the' : 'The'} true rate is ${bound} (95 % confidence).`;
  const part = `${found} (${formatShare(over / counted)}); ${allowed} allowed.`;
  if (allowance === 0 && test.outcome === 'failed') return part;
  if (test.outcome === 'passed') return over === 0 ? `${found}; ${allowed} allowed.` : `${part} ${rate(`at most ${high}`)}`;
  if (test.outcome === 'failed') return over === counted ? `${found}; ${allowed} allowed.` : `${part} ${rate(`at least ${low}`)}`;
  switch (test.unknownBecause) {
    case 'generator':
      return `${found}. ${formatCount(test.maybe)} of them may come from the overload of ${slowGeneratorNames}, and whether they count decides the outcome.`;
    case 'tooFew':
      return `${found}. Too few to decide${burst || counted >= minRequests(allowance) ? `, since responses that come in bursts prove no more than ${formatCount(Math.max(1, Math.round(test.independent)))} independent ones` : ''}: ${formatNeeded(allowance)}.`;
    default:
      return `${part} Too close to call: ${uncapitalize(rate(`from ${low} to ${high}`))}`;
  }
}

/** Minimum bound that is not written as 0 %. */
const MIN_PRINTED_SHARE = 1e-7;

/** Formats the shares with {@link formatShare}, or with more digits if they would otherwise look equal to the allowance. */
function formatShares({ low, high }: Bounds, allowance: number): { low: string; high: string; allowed: string } {
  const formats = [formatShare, ...[3, 4, 5, 6, 7, 8].map((digits) => (share: number) => formatPercent(share, digits))].map(
    (way) => (share: number) => way(share < MIN_PRINTED_SHARE ? 0 : share),
  );
  const isDistinguishable = (way: (share: number) => string): boolean => way(low) !== way(allowance) && way(high) !== way(allowance);
  const format = formats.find(isDistinguishable) ?? formatShare;
  return { low: format(low), high: format(high), allowed: allowance > 0 ? format(allowance) : 'none' };
}

function formatNeeded(allowance: number): string {
  return `at least ${formatCount(minRequests(allowance))} are needed even if all succeed`;
}

/** Confidence of the bounds of each of two shares. Both must be right at once, so each gets half of the error probability (Bonferroni). */
const CONFIDENCE_PER_SHARE = 1 - (1 - CONFIDENCE) / 2;

/**
 * Judges an Apdex criterion. Apdex_T = (satisfied + tolerating / 2) / all = 1 − (share slower than T + share slower than 4T) / 2, with
 * failures counted as slower (Apdex specification 1.1). The bounds are combined from the exact bounds of the two shares.
 */
export function judgeApdex(criterion: Extract<Criterion, { kind: 'apdex' }>, input: JudgeInput, { stage, step }: Scope): Judgement {
  const cell = input.evidence.of(stage, step ?? 0);
  const notSatisfied = listBlocksOver(cell, criterion.thresholdMs, input);
  const frustrated = listBlocksOver(cell, 4 * criterion.thresholdMs, input);
  const counted = countRequests(notSatisfied);
  const things = criterion.of ?? 'requests';
  const limits = { limit: criterion.min, unit: 'apdex', counted } as const;
  if (counted === 0)
    return completeJudgement({
      ...limits,
      outcome: 'unknown',
      unknownBecause: 'notMeasured',
      measured: null,
      reason: formatNoneCounted(things),
    });
  const measured = computeApdex(notSatisfied, frustrated, counted, countStrictly);
  const few = counted < APDEX_SAMPLES ? ` It rests on fewer than ${APDEX_SAMPLES} ${things}.` : '';
  const found = `Apdex ${measured.toFixed(2)} (${rateApdex(measured)}) for ${formatMs(criterion.thresholdMs)} from ${formatCount(counted)} ${things}, ${criterion.min.toFixed(2)} required`;
  const facts = { ...limits, measured };
  const shares = [
    { blocks: notSatisfied, others: findOtherLimits(cell, criterion.thresholdMs) },
    { blocks: frustrated, others: findOtherLimits(cell, 4 * criterion.thresholdMs) },
  ];
  const lenient = decide(criterion.min, shares, countLeniently);
  const strict = decide(criterion.min, shares, countStrictly);
  const certainOutcome = (): Judgement['outcome'] =>
    decide(
      criterion.min,
      shares.map((share) => splitDoubtful(share.blocks, share.others)),
      countLeniently,
    );
  if (lenient !== strict || (strict === 'unknown' && notSatisfied.some(({ maybe }) => maybe > 0) && certainOutcome() === 'passed')) {
    const reason = `${found}. Slow seconds of ${formatOverloadedNames(input.generators)} may be the cause, and whether they count decides the outcome.`;
    return completeJudgement({ ...facts, outcome: 'unknown', unknownBecause: 'generator', reason });
  }
  if (strict === 'unknown') {
    const unknownBecause = counted < APDEX_SAMPLES ? 'tooFew' : 'tooClose';
    return completeJudgement({ ...facts, outcome: strict, unknownBecause, reason: `${found}: too close to call.${few}` });
  }
  const excess = notSatisfied.map((block, index) => {
    const late = frustrated[index];
    return {
      second: block.second,
      amount: (countStrictly(block) + (late ? countStrictly(late) : 0)) / 2 - (1 - criterion.min) * block.counted,
    };
  });
  return completeJudgement({
    ...facts,
    outcome: strict,
    reason: `${found}.${few}`,
    fromSecond: strict === 'failed' ? findFailingSecond(excess) : null,
  });
}

const countStrictly = ({ surely, maybe }: DoubtfulBlock): number => surely + maybe;
const countLeniently = ({ surely }: DoubtfulBlock): number => surely;

type CountOver = (block: DoubtfulBlock) => number;

interface Share {
  readonly blocks: readonly DoubtfulBlock[];
  readonly others: OtherLimits;
}

/** Decides an Apdex criterion. `shares`: the shares of requests that are not satisfied, and of those that are frustrated. */
function decide(min: number, shares: readonly Share[], over: CountOver): Judgement['outcome'] {
  const bounds = shares.map(({ blocks, others }) => reading(blocks, over, CONFIDENCE_PER_SHARE, others).bounds);
  if (1 - bounds.reduce((sum, { high }) => sum + high, 0) / 2 >= min) return 'passed';
  return 1 - bounds.reduce((sum, { low }) => sum + low, 0) / 2 < min ? 'failed' : 'unknown';
}

function computeApdex(
  notSatisfied: readonly DoubtfulBlock[],
  frustrated: readonly DoubtfulBlock[],
  counted: number,
  over: CountOver,
): number {
  const sum = (blocks: readonly DoubtfulBlock[]): number => blocks.reduce((total, block) => total + over(block), 0);
  return 1 - (sum(notSatisfied) + sum(frustrated)) / (2 * counted);
}
