import type { ObjectiveResult } from '#core/result/schema.ts';
import { type Bounds, CONFIDENCE, leastRequests, shareBounds } from '#core/statistics/bounds.ts';
import { type BlockCount, cautiousEffect } from '#core/statistics/clumping.ts';

/** Requests of one block: how many count, how many are over the limit whoever is to blame, and how many only if the target is. */
export interface DoubtfulBlock {
  readonly counted: number;
  readonly surely: number;
  readonly maybe: number;
}

export interface ShareTest {
  readonly counted: number;
  readonly surely: number;
  readonly maybe: number;
  /** How many independent requests the clumped ones are worth. */
  readonly independent: number;
  /** The lowest and the highest that the share over the limit may be, over both readings of what is in doubt. */
  readonly bounds: Bounds;
  readonly outcome: ObjectiveResult['outcome'];
  readonly unknownBecause: ObjectiveResult['unknownBecause'];
}

/** The same requests by other limits: how they clump shows there too, and shows better where more of them are over it. */
export interface OtherLimits {
  /** In the same blocks, by the next limit that more, or fewer, than so many are over, of those that enough are over and enough within; null without one. */
  readonly withMore: (over: number) => readonly BlockCount[] | null;
  readonly withFewer: (over: number) => readonly BlockCount[] | null;
  /** By limits that three quarters, half and a quarter of so many are over, at most. */
  readonly parts: (over: number) => readonly (readonly BlockCount[])[];
}

/**
 * Whether at most `allowance` of all requests are over a limit, as docs/method.md decides it: exact binomial bounds of the share,
 * counts deflated by the design effect, and whatever a sick generator may have caused judged both ways.
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
  if (allowance === 0) return { ...facts, outcome: surely > 0 ? 'breaks' : 'holds', unknownBecause: null };
  const outcomes = [lenient, strict].map(({ bounds }) => outcomeOf(bounds, allowance));
  const [first = 'unknown', second = 'unknown'] = outcomes;
  if (first !== second) return { ...facts, outcome: 'unknown', unknownBecause: 'generator' };
  if (first !== 'unknown') return { ...facts, outcome: first, unknownBecause: null };
  const certain = withoutDoubt(blocks, others);
  if (maybe > 0 && outcomeOf(reading(certain.blocks, (block) => block.surely, CONFIDENCE, certain.others).bounds, allowance) === 'holds')
    return { ...facts, outcome: 'unknown', unknownBecause: 'generator' };
  const isTooFew = (surely + maybe === 0 ? strict.independent : counted) < leastRequests(allowance);
  return { ...facts, outcome: 'unknown', unknownBecause: isTooFew ? 'tooFew' : 'tooClose' };
}

/**
 * The blocks without doubt, and what other limits tell of these. What a sick generator made late is over other limits as well, and looks like a clump there: so both readings
 * of all blocks may be undecided because of it.
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
 * Bounds of one reading of the blocks, counts deflated by its design effect. That of few events is itself hardly known, and smallest just when chance kept
 * them few: so the upper bound reckons with the larger one of this limit and the next that more are over, the lower bound with its neighbours
 * on both sides. Where no other limit helps, it reckons with a whole further clump instead of 0.35 of one. Where some are over the limit one by one and
 * others in a few clumps, there seem to be many events, which are known well: so the upper bound is at least that of any part by itself, with the rest as it was seen.
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

/** The upper bound of what is over one limit, and the design effect that it reckons with; `more`: by the next limit that more are over. */
function highest(blocks: readonly BlockCount[], more: readonly BlockCount[] | null, confidence: number) {
  const counted = total(blocks, (block) => block.counted);
  const over = total(blocks, (block) => block.over);
  const moreClumps = more === null ? 1 : 0.35;
  const effect = Math.max(...[blocks, more].map((each) => (each === null ? 1 : cautiousEffect(each, 'high', moreClumps))));
  return { over, effect, high: shareBounds(over / effect, counted / effect, confidence).high };
}

function outcomeOf({ low, high }: Bounds, allowance: number): ObjectiveResult['outcome'] {
  if (high <= allowance) return 'holds';
  return low > allowance ? 'breaks' : 'unknown';
}

function total<Block>(blocks: readonly Block[], of: (block: Block) => number): number {
  return blocks.reduce((sum, block) => sum + of(block), 0);
}
