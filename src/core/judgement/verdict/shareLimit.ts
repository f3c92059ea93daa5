import type { CriterionResult } from '#core/result/schema.ts';
import { type Bounds, CONFIDENCE, leastRequests, shareBounds } from '#core/statistics/bounds.ts';
import { type BlockCount, cautiousEffect } from '#core/statistics/clumping.ts';

/** Requests of one block: how many count, how many are certainly over the limit, and how many more unless the load generator caused them. */
export interface DoubtfulBlock {
  readonly counted: number;
  readonly surely: number;
  readonly maybe: number;
}

export interface ShareTest {
  readonly counted: number;
  readonly surely: number;
  readonly maybe: number;
  /** Effective sample size: the number of independent requests with the same precision. */
  readonly independent: number;
  /** Lowest and highest possible share over the limit, with doubtful requests counted either way. */
  readonly bounds: Bounds;
  readonly outcome: CriterionResult['outcome'];
  readonly unknownBecause: CriterionResult['unknownBecause'];
}

/** The same requests by other limits, which show clumping better if more requests are over them. */
export interface OtherLimits {
  /** Blocks by the next limit that more, or fewer, than `over` requests exceed. Only limits with enough requests over and within count; null without one. */
  readonly withMore: (over: number) => readonly BlockCount[] | null;
  readonly withFewer: (over: number) => readonly BlockCount[] | null;
  /** Blocks by limits that at most three quarters, half and a quarter of `over` requests exceed. */
  readonly parts: (over: number) => readonly (readonly BlockCount[])[];
}

/**
 * Tests whether at most `allowance` of all requests are over a limit, as docs/method.md defines: exact binomial bounds of the share with counts deflated by
 * the design effect. Doubtful requests of an overloaded generator are judged both ways.
 */
export function testShare(blocks: readonly DoubtfulBlock[], allowance: number, others: OtherLimits): ShareTest {
  const counted = Math.round(total(blocks, (block) => block.counted));
  const surely = Math.round(total(blocks, (block) => block.surely));
  const maybe = total(blocks, (block) => block.maybe);
  const lenient = reading(blocks, (block) => block.surely, CONFIDENCE, others);
  const strict = maybe === 0 ? lenient : reading(blocks, (block) => block.surely + block.maybe, CONFIDENCE, others);
  const facts = { counted, surely, maybe, independent: strict.independent, bounds: { low: lenient.bounds.low, high: strict.bounds.high } };
  if (counted === 0) return { ...facts, outcome: 'unknown', unknownBecause: 'notMeasured' };
  // No failure at all is a statement about this run, which counting decides.
  if (allowance === 0 && surely === 0 && maybe > 0) return { ...facts, outcome: 'unknown', unknownBecause: 'generator' };
  if (allowance === 0) return { ...facts, outcome: surely > 0 ? 'failed' : 'passed', unknownBecause: null };
  const outcomes = [lenient, strict].map(({ bounds }) => outcomeOf(bounds, allowance));
  const [first = 'unknown', second = 'unknown'] = outcomes;
  if (first !== second) return { ...facts, outcome: 'unknown', unknownBecause: 'generator' };
  if (first !== 'unknown') return { ...facts, outcome: first, unknownBecause: null };
  const certain = withoutDoubt(blocks, others);
  if (maybe > 0 && outcomeOf(reading(certain.blocks, (block) => block.surely, CONFIDENCE, certain.others).bounds, allowance) === 'passed')
    return { ...facts, outcome: 'unknown', unknownBecause: 'generator' };
  const isTooFew = (surely + maybe === 0 ? strict.independent : counted) < leastRequests(allowance);
  return { ...facts, outcome: 'unknown', unknownBecause: isTooFew ? 'tooFew' : 'tooClose' };
}

/**
 * Returns only the blocks without doubtful requests, also by the other limits. Requests that an overloaded generator delayed exceed other limits too and
 * look like a clump, which may make both readings of all blocks undecided.
 */
export function withoutDoubt(blocks: readonly DoubtfulBlock[], others: OtherLimits) {
  const isCertain = (_block: unknown, index: number): boolean => blocks[index]?.maybe === 0;
  const certain = (found: readonly BlockCount[] | null): readonly BlockCount[] | null => found?.filter(isCertain) ?? null;
  return {
    blocks: blocks.filter(isCertain),
    others: {
      withMore: (over: number) => certain(others.withMore(over)),
      withFewer: (over: number) => certain(others.withFewer(over)),
      parts: (over: number) => others.parts(over).map((part) => part.filter(isCertain)),
    },
  };
}

export interface Reading {
  readonly bounds: Bounds;
  readonly independent: number;
}

/**
 * Computes the bounds of one reading of the blocks, with counts deflated by the design effect. The design effect of few events is uncertain, and too small
 * if chance kept them few. Therefore the upper bound uses the larger effect of this limit and the next one that more requests exceed. The lower bound also
 * considers the effect of the next limit that fewer requests exceed. Without another limit the effect assumes one more clump instead of 0.35. A mix of
 * single violations and a few clumps looks like many well-known events. Therefore the upper bound is at least that of each part, plus the rest as measured.
 */
export function reading(
  blocks: readonly DoubtfulBlock[],
  over: (block: DoubtfulBlock) => number,
  confidence: number,
  others: OtherLimits,
): Reading {
  const own = blocks.map((block): BlockCount => ({ counted: block.counted, over: over(block) }));
  const counted = total(own, (block) => block.counted);
  const sum = total(own, (block) => block.over);
  const more = others.withMore(sum);
  const fewer = others.withFewer(sum);
  const low = Math.max(...[own, more, fewer].map((each) => (each === null ? 1 : cautiousEffect(each, 'low', 0))));
  const whole = highest(own, more, confidence);
  const parts = others.parts(sum).map((part) => highest(part, null, confidence));
  return {
    bounds: {
      low: shareBounds(sum / low, counted / low, confidence).low,
      high: Math.min(1, Math.max(whole.high, ...parts.map((part) => part.high + (sum - part.over) / counted))),
    },
    independent: counted / whole.effect,
  };
}

/** Upper bound of the share over one limit, and its design effect; `more`: blocks by the next limit that more requests exceed. */
function highest(blocks: readonly BlockCount[], more: readonly BlockCount[] | null, confidence: number) {
  const counted = total(blocks, (block) => block.counted);
  const over = total(blocks, (block) => block.over);
  const moreClumps = more === null ? 1 : 0.35;
  const effect = Math.max(...[blocks, more].map((each) => (each === null ? 1 : cautiousEffect(each, 'high', moreClumps))));
  return { over, effect, high: shareBounds(over / effect, counted / effect, confidence).high };
}

function outcomeOf({ low, high }: Bounds, allowance: number): CriterionResult['outcome'] {
  if (high <= allowance) return 'passed';
  return low > allowance ? 'failed' : 'unknown';
}

function total<Block>(blocks: readonly Block[], of: (block: Block) => number): number {
  return blocks.reduce((sum, block) => sum + of(block), 0);
}
