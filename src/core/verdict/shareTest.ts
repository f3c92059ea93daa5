import type { ObjectiveResult } from '../report/result.ts';
import { designEffect, shareBounds, type Bounds } from './bounds.ts';
import { CONFIDENCE, leastRequests } from './enough.ts';

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

/**
 * Whether at most `allowance` of all requests are over a limit, as docs/method.md decides it: exact binomial bounds of the share,
 * counts deflated by the design effect, and whatever a sick generator may have caused judged both ways.
 */
export function testShare(blocks: readonly DoubtfulBlock[], allowance: number): ShareTest {
  const counted = Math.round(total(blocks, (block) => block.counted));
  const surely = Math.round(total(blocks, (block) => block.surely));
  const maybe = total(blocks, (block) => block.maybe);
  const lenient = reading(blocks, (block) => block.surely, CONFIDENCE);
  const strict = reading(blocks, (block) => block.surely + block.maybe, CONFIDENCE);
  const facts = { counted, surely, maybe, independent: strict.independent, bounds: { low: lenient.bounds.low, high: strict.bounds.high } };
  if (counted === 0) return { ...facts, outcome: 'unknown', unknownBecause: 'notMeasured' };
  const outcomes = [lenient, strict].map(({ bounds }) => outcomeOf(bounds, allowance));
  const [first = 'unknown', second = 'unknown'] = outcomes;
  if (first !== second) return { ...facts, outcome: 'unknown', unknownBecause: 'generator' };
  if (first !== 'unknown') return { ...facts, outcome: first, unknownBecause: null };
  return { ...facts, outcome: 'unknown', unknownBecause: counted < leastRequests(allowance) ? 'tooFew' : 'tooClose' };
}

export interface Reading {
  readonly bounds: Bounds;
  readonly independent: number;
}

/** Bounds of one reading of the blocks, counts deflated by its design effect. */
export function reading(blocks: readonly DoubtfulBlock[], over: (block: DoubtfulBlock) => number, confidence: number): Reading {
  const effect = designEffect(blocks.map((block) => ({ counted: block.counted, over: over(block) })));
  const independent = total(blocks, (block) => block.counted) / effect;
  return { bounds: shareBounds(total(blocks, over) / effect, independent, confidence), independent };
}

function outcomeOf({ low, high }: Bounds, allowance: number): ObjectiveResult['outcome'] {
  if (high <= allowance) return 'holds';
  return low > allowance ? 'breaks' : 'unknown';
}

function total(blocks: readonly DoubtfulBlock[], of: (block: DoubtfulBlock) => number): number {
  return blocks.reduce((sum, block) => sum + of(block), 0);
}
