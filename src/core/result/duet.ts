import { z } from 'zod';
import { countOf, formatCount, formatMs, formatPercent, formatShare } from '#core/base/units.ts';
import type { DuetCount, Window } from '#core/measurement/window.ts';
import { mergeDuet } from '#core/measurement/windowFold.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { pairedShift, type PairedShift } from '#core/statistics/pairedShift.ts';

/** Significance level, as in comparisons of many runs. */
const SIGNIFICANCE_LEVEL = 0.01;
/** Sums of logarithms are in millionths: see `DUET_COUNTERS`. */
const LOGARITHM_SCALE = 1_000_000;
/** If a change this large is possible, “no difference” would be wrong. */
const MIN_WIDE_CHANGE = 0.1;

export const DUET_CONCLUSIONS = ['slower', 'faster', 'failsMore', 'failsLess', 'noDifference', 'inconclusive'] as const;

const duetSideSchema = z.strictObject({
  name: z.string(),
  /** Successful responses to requests of the counted stages, and failed requests. */
  ok: z.int(),
  failed: z.int(),
  /** Geometric mean of the response times of successful responses; null without any. */
  typicalMs: z.number().nullable(),
});

/** Two variants that took turns within a run: the second compared with the first. */
export const duetResultSchema = z.strictObject({
  slotMs: z.int(),
  sides: z.tuple([duetSideSchema, duetSideSchema]),
  /** Number of pairs of slots in which both variants had successful responses. */
  pairs: z.int(),
  /** Relative change of the response time with its 99 % interval; null with too few pairs. */
  change: z.strictObject({ value: z.number(), low: z.number(), high: z.number() }).nullable(),
  conclusion: z.enum(DUET_CONCLUSIONS),
});
export type DuetResult = z.infer<typeof duetResultSchema>;

/** Sums the responses of both variants of a duet by pairs of slots. */
export class DuetTally {
  private readonly pairs = new Map<number, DuetCount[]>();

  add({ duet = [] }: Window): void {
    for (const count of duet) {
      const known = this.pairs.get(count.pair);
      if (known === undefined) this.pairs.set(count.pair, [{ ...count }]);
      else mergeDuet(known, [count]);
    }
  }

  /** Returns the comparison; null for a plan without a duet. */
  result({ duet }: Pick<Plan, 'duet'>): DuetResult | null {
    if (duet === undefined) return null;
    const paired = [...this.pairs.entries()].toSorted(([one], [other]) => one - other).map(([, counts]) => counts);
    const times = paired.flatMap((counts) => compareCounts(counts, meanLogarithm));
    const failures = paired.flatMap((counts) => compareCounts(counts, failedShare));
    const shift = pairedShift(times, SIGNIFICANCE_LEVEL);
    const change = shift && { value: Math.expm1(shift.value), low: Math.expm1(shift.low), high: Math.expm1(shift.high) };
    // Pairs with the same failed share on both sides say nothing about the sign (Wilcoxon 1945).
    const failureShift = pairedShift(
      failures.filter((difference) => difference !== 0),
      SIGNIFICANCE_LEVEL,
    );
    return {
      slotMs: duet.slotMs,
      sides: [sumSide(duet.variants[0], 0, paired), sumSide(duet.variants[1], 1, paired)],
      pairs: times.length,
      change,
      conclusion: conclude(change, failureShift),
    };
  }
}

function conclude(change: DuetResult['change'], failures: PairedShift | null): DuetResult['conclusion'] {
  if (failures !== null && failures.low > 0) return 'failsMore';
  if (failures !== null && failures.high < 0) return 'failsLess';
  if (change === null) return 'inconclusive';
  if (change.low > 0) return 'slower';
  if (change.high < 0) return 'faster';
  return Math.max(-change.low, change.high) >= MIN_WIDE_CHANGE ? 'inconclusive' : 'noDifference';
}

function compareCounts(counts: readonly DuetCount[], valueOf: (count: DuetCount) => number | null): number[] {
  const [one, other] = ([0, 1] as const).map((side) => counts.find((count) => count.side === side));
  const [from, to] = [one, other].map((count) => (count === undefined ? null : valueOf(count)));
  return from == null || to == null ? [] : [to - from];
}

function meanLogarithm({ ok, logarithms }: Omit<DuetCount, 'pair' | 'side'>): number | null {
  return ok === 0 ? null : logarithms / ok / LOGARITHM_SCALE;
}

function failedShare({ ok, failed }: DuetCount): number | null {
  return ok + failed === 0 ? null : failed / (ok + failed);
}

function sumSide(name: string, side: 0 | 1, paired: readonly (readonly DuetCount[])[]): DuetResult['sides'][number] {
  const sum = { ok: 0, failed: 0, logarithms: 0 };
  for (const count of paired.flat()) {
    if (count.side !== side) continue;
    sum.ok += count.ok;
    sum.failed += count.failed;
    sum.logarithms += count.logarithms;
  }
  const mean = meanLogarithm(sum);
  return { name, ok: sum.ok, failed: sum.failed, typicalMs: mean === null ? null : Math.exp(mean) / 1_000 };
}

/** Returns the comparison in a sentence: “head” is slower than “base” by 10 % (7 % to 13 %). */
export function formatDuet({ sides: [base, head], change, pairs, conclusion }: DuetResult): string {
  const [one, other] = [`“${head.name}”`, `“${base.name}”`];
  const [failed, failedBefore] = [head, base].map((side) => formatShare(side.failed / Math.max(1, side.ok + side.failed)));
  switch (conclusion) {
    case 'failsMore':
    case 'failsLess':
      return `${one} fails ${conclusion === 'failsMore' ? 'more' : 'less'} often than ${other}: ${failed} of requests, ${failedBefore} with ${other}.`;
    case 'slower':
    case 'faster':
      return `${one} is ${conclusion} than ${other} by ${change === null ? '' : formatAmount(change)}.`;
    case 'noDifference':
      return `${one} is as fast as ${other}: ${change === null ? '' : formatRange(change)}.`;
    case 'inconclusive':
      return change === null
        ? `Too little to compare ${one} with ${other}: ${countOf(pairs, 'pair')} of slots had successful responses of both. Run longer.`
        : `${one} may be as fast as ${other} or not: ${formatRange(change)}. Run longer.`;
    default:
      return conclusion satisfies never;
  }
}

function formatAmount({ value, low, high }: NonNullable<DuetResult['change']>): string {
  const [from, to] = value > 0 ? [low, high] : [-high, -low];
  return `${formatPercent(Math.abs(value), 2)} (99 % interval ${formatPercent(from, 2)} to ${formatPercent(to, 2)})`;
}

function formatRange({ low, high }: NonNullable<DuetResult['change']>): string {
  return `response time ${formatSigned(low)} to ${formatSigned(high)}, 99 % interval`;
}

function formatSigned(change: number): string {
  return `${change < 0 ? '−' : '+'}${formatPercent(Math.abs(change), 2)}`;
}

export const DUET_TITLES = ['Response time (geometric mean)', 'Successful', 'Failed'] as const;

/** Returns the figures of both variants, the first one first: name, typical response time, successful and failed requests. */
export function duetFigures({
  sides,
}: DuetResult): { readonly name: string; readonly typical: string; readonly ok: string; readonly failed: string }[] {
  return sides.map(({ name, typicalMs, ok, failed }) => ({
    name,
    typical: formatMs(typicalMs),
    ok: formatCount(ok),
    failed: formatCount(failed),
  }));
}

/** Returns whether the second variant is certainly worse: it fails more often, or is slower by more than `tolerance` (a share). */
export function isDuetWorse({ conclusion, change }: DuetResult, tolerance: number): boolean {
  return conclusion === 'failsMore' || (conclusion === 'slower' && (change?.value ?? 0) > tolerance);
}
