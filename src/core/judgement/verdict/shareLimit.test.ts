import { describe, expect, it } from 'vitest';
import type { BlockCount } from '#core/statistics/clumping.ts';
import { shareBounds } from '#core/statistics/bounds.ts';
import { type DoubtfulBlock, type OtherLimits, reading, testShare } from './kinds/counts.ts';

const none: OtherLimits = { withMore: () => null, withFewer: () => null, parts: () => [] };
const block = (counted: number, surely = 0, maybe = 0): DoubtfulBlock => ({ counted, surely, maybe });
/** Returns ten identical seconds. */
const even = (counted: number, surely: number, maybe = 0): DoubtfulBlock[] =>
  Array.from({ length: 10 }, () => block(counted, surely, maybe));
const outcome = (blocks: readonly DoubtfulBlock[], allowance = 0.05) => {
  const { outcome: found, unknownBecause } = testShare(blocks, allowance, none);
  return unknownBecause ?? found;
};

describe('testShare', () => {
  it('needs 59 requests without a violation for 5 %, and 299 for 1 %', () => {
    expect([block(58), block(59)].map((one) => outcome([one]))).toEqual(['tooFew', 'passed']);
    expect([block(298), block(299)].map((one) => outcome([one], 0.01))).toEqual(['tooFew', 'passed']);
    expect(outcome([])).toBe('notMeasured');
    expect(outcome([block(1)], 0)).toBe('passed');
  });

  it('decides by the exact bounds of the share', () => {
    // The upper bounds for 1,000 requests are 4.95 % with 38 over and 5.06 % with 39. The lower bounds are 4.99 % with 62 and 5.08 % with
    // 63.
    const at = (over: number) => outcome([block(1_000, over)]);
    expect([38, 39, 62, 63].map(at)).toEqual(['passed', 'tooClose', 'tooClose', 'failed']);
    expect([38, 39].map((over) => shareBounds(over, 1_000).high <= 0.05)).toEqual([true, false]);
  });

  it('returns unknown if doubtful requests decide', () => {
    expect(outcome(even(100, 0, 1))).toBe('passed');
    expect(outcome(even(100, 0, 10))).toBe('generator');
    expect(outcome(even(100, 20, 10))).toBe('failed');
    expect(outcome(even(100, 5, 1))).toBe('tooClose');
  });

  it('blames the load generator if doubtful requests widen both readings', () => {
    // In two of ten seconds, the generator was delayed, and most of the requests in them exceed any limit.
    const heldUp = (surely: number): DoubtfulBlock[] =>
      Array.from({ length: 10 }, (_, second) => (second === 3 || second === 6 ? block(30, 0, 18) : block(30, surely)));
    const near = heldUp(0).map(({ counted, maybe }): BlockCount => ({ counted, over: maybe > 0 ? 25 : 1 }));
    const others: OtherLimits = { ...none, withMore: () => near };
    const because = (blocks: readonly DoubtfulBlock[]) => testShare(blocks, 0.05, others).unknownBecause;
    expect(reading(heldUp(0), ({ surely }) => surely, 0.95, others).bounds.high).toBeGreaterThan(0.05);
    expect(because(heldUp(0))).toBe('generator');
    // The other seconds are undecided, too.
    expect(because(heldUp(2))).toBe('tooClose');
    // The doubtful requests are removed.
    expect(because(heldUp(0).map(({ counted, maybe }) => block(counted, maybe)))).toBe('tooClose');
  });

  it('returns bounds that cover both readings of doubtful requests', () => {
    const { bounds, counted, surely, maybe, independent } = testShare([block(1_000, 10, 20)], 0.05, none);
    expect([counted, surely, maybe, independent]).toEqual([1_000, 10, 20, 1_000]);
    expect(bounds.low).toBeCloseTo(shareBounds(10, 1_000).low, 12);
    expect(bounds.high).toBeCloseTo(shareBounds(30, 1_000).high, 12);
  });
});

describe('reading', () => {
  const over = ({ surely }: DoubtfulBlock): number => surely;
  const clumped: BlockCount[] = Array.from({ length: 10 }, (_, second) => ({ counted: 100, over: second === 4 ? 90 : 0 }));
  const spread = even(100, 3);

  it('uses the clumping of a limit that more requests exceed for both bounds, and of one that fewer exceed for the lower bound', () => {
    const alone = reading(spread, over, 0.95, none);
    const beside = reading(spread, over, 0.95, { ...none, withMore: () => clumped });
    const below = reading(spread, over, 0.95, { ...none, withFewer: () => clumped });
    expect(beside.bounds.high).toBeGreaterThan(alone.bounds.high);
    expect(beside.bounds.low).toBeLessThan(alone.bounds.low);
    expect(beside.independent).toBeLessThan(alone.independent);
    expect(below.bounds.high).toBe(alone.bounds.high);
    expect(below.bounds.low).toBeLessThan(alone.bounds.low);
    expect(alone.independent).toBe(1_000);
  });

  it('asks for other limits by the number of requests over the limit of the criterion', () => {
    const asked: number[] = [];
    const ask =
      <Found>(found: Found) =>
      (sum: number): Found => {
        asked.push(sum);
        return found;
      };
    reading(spread, over, 0.95, { withMore: ask(null), withFewer: ask(null), parts: ask([]) });
    expect(asked).toEqual([30, 30, 30]);
  });

  it('returns an upper bound of at least that of a clumped part plus the measured rest, and of at most 1', () => {
    const part = clumped.map(({ counted, over: many }) => ({ counted, over: many / 6 }));
    const alone = reading(spread, over, 0.95, none).bounds.high;
    const parted = reading(spread, over, 0.95, { ...none, parts: () => [part] }).bounds.high;
    const byItself = reading(
      part.map((one) => block(one.counted, one.over)),
      over,
      0.95,
      none,
    ).bounds.high;
    expect(parted).toBeGreaterThan(alone);
    expect(parted).toBeGreaterThan(byItself);
    expect(reading(even(100, 97), over, 0.95, { ...none, parts: () => [clumped] }).bounds.high).toBe(1);
  });
});
