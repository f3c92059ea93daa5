import { describe, expect, it } from 'vitest';
import { type ComparedRun, WHOLE_RUN } from './comparedRun.ts';
import { compareSides } from './compareSides.ts';
import type { Condition } from './refusal.ts';
import { judgeGate } from './baseline.ts';
import type { Aspect, Comparison, Figure, Pair } from './schema.ts';
import { runWith } from './testing/simulated.ts';

const figures = (p95: number): Figure[] => [{ scope: WHOLE_RUN, measure: 'p95', value: p95 }];
const condition = (aspect: Aspect, value: string): Condition => ({ aspect, what: `what of ${aspect}`, value });

/** Returns a side whose runs began at the given minutes and have about the given p95. */
function side(name: string, minutes: readonly number[], p95: number, changes: Partial<ComparedRun> = {}) {
  return { name, runs: minutes.map((minute, index) => runWith(minute, { figures: figures(p95 * (1 + index / 1_000)), ...changes })) };
}

function onlyPair({ pairs }: Comparison): Pair {
  const [pair] = pairs;
  if (pair === undefined) throw new Error('no pair');
  return pair;
}

const EVEN = [0, 2, 4, 6, 8];
const ODD = [1, 3, 5, 7, 9];

describe('compareSides', () => {
  it('reports by how much the second side is worse, if runs alternate and nothing else differs', () => {
    const comparison = compareSides([side('before', EVEN, 100), side('after', ODD, 120)], null);
    const { conclusion, sentence, reasons, isInterleaved } = onlyPair(comparison);
    expect([conclusion, isInterleaved]).toEqual(['differs', true]);
    expect(sentence).toBe('“after” is worse than “before”: p95 120 ms instead of 100 ms, +20 % (99 % interval: +20 % to +20 %).');
    expect(reasons).toEqual(['Nothing that Holdfast records differs between them; changes in the target itself are not visible to it.']);
    expect(judgeGate(comparison, 0.05)).toBe('worse');
    expect(judgeGate(comparison, 0.25)).toBe('notWorse');
  });

  it('names the largest change first, failures before all else, and mentions changes in the other direction', () => {
    const sided = (name: string, minutes: readonly number[], p95: number, rate: number, failed: number) => ({
      name,
      runs: minutes.map((minute, index) =>
        runWith(minute, {
          figures: [
            { scope: WHOLE_RUN, measure: 'p95', value: p95 * (1 + index / 1_000) },
            { scope: WHOLE_RUN, measure: 'goodPerSecond', value: rate * (1 + index / 1_000) },
            { scope: WHOLE_RUN, measure: 'failedShare', value: failed },
          ],
        }),
      ),
    });
    const reported = (p95: number, rate: number, failed: number): string =>
      onlyPair(compareSides([sided('before', EVEN, 100, 50, 0), sided('after', ODD, p95, rate, failed)], null)).sentence;
    expect(reported(110, 150, 0)).toMatch(
      /^“after” is better than “before”: successful responses a second 150\/s instead of 50\.1\/s, \+200 % .*\. But it is worse in another way: p95 110 ms instead of 100 ms, \+10 % .*\.$/,
    );
    expect(reported(90, 150, 0)).not.toContain('But');
    expect(reported(110, 150, 0.2)).toMatch(
      /^“after” is worse than “before”: failed 20 % .* But it is better in another way: successful responses/,
    );
  });

  it('finds no difference in overlapping runs, and says which differences would have been missed', () => {
    const comparison = compareSides([side('before', EVEN, 100), side('after', ODD, 100.1)], null);
    const { conclusion, sentence } = onlyPair(comparison);
    expect(conclusion).toBe('withinNoise');
    expect(sentence).toMatch(/^No difference between “after” and “before” .* Still possible for “p95”: .* to \+0\.\d+ %\.$/);
    expect(judgeGate(comparison, 0.05)).toBe('notWorse');
  });

  it('concludes nothing from four runs, however far apart', () => {
    const comparison = compareSides([side('before', [0, 2, 4, 6], 100), side('after', ODD, 900)], null);
    expect(onlyPair(comparison)).toMatchObject({ conclusion: 'tooFew', isInterleaved: null });
    expect(onlyPair(comparison).sentence).toContain('Too few runs: 4 and 5.');
    expect(judgeGate(comparison, 0.05)).toBe('notKnown');
  });

  it('excludes incomplete runs and says so', () => {
    const after = side('after', ODD, 200);
    const [first, ...others] = after.runs;
    const cut = first === undefined ? [] : [{ ...first, leftOut: 'You stopped it.' }];
    const { sentence, reasons } = onlyPair(compareSides([side('before', EVEN, 100), { name: 'after', runs: [...cut, ...others] }], null));
    expect(sentence).toContain('5 and 4 whole ones of 5.');
    expect(reasons).toContain('1 of 10 runs did not finish and is left out.');
  });

  it('warns if all runs of one side were made before the other', () => {
    const { conclusion, isInterleaved, reasons } = onlyPair(
      compareSides([side('before', [0, 1, 2, 3, 4], 100), side('after', [5, 6, 7, 8, 9], 120)], null),
    );
    expect([conclusion, isInterleaved]).toEqual(['differs', false]);
    expect(reasons.join(' ')).toContain('changes in between are part of the difference');
  });

  it('attributes a difference to the single thing that differs', () => {
    const { conclusion, reasons } = onlyPair(
      compareSides(
        [
          side('one', EVEN, 100, { conditions: [condition('host', 'a')] }),
          side('other', ODD, 120, { conditions: [condition('host', 'b')] }),
        ],
        null,
      ),
    );
    expect(conclusion).toBe('differs');
    expect(reasons).toContain('They differ in the load generator.');
  });

  it('refuses if two things differ, or if something differs that was not asked about', () => {
    const one = side('one', EVEN, 100, { conditions: [condition('target', 'x'), condition('version', '1')] });
    const other = side('other', ODD, 120, { conditions: [condition('target', 'y'), condition('version', '2')] });
    const plain = compareSides([one, other], null);
    expect(onlyPair(plain)).toMatchObject({ conclusion: 'refused' });
    expect(onlyPair(plain).reasons[0]).toBe(
      'They differ in more than one thing: the target and the version of Holdfast. Each of them may have done it.',
    );
    expect(onlyPair(plain).differences.every(({ judgement, interval }) => judgement === 'refused' && interval === null)).toBe(true);
    expect(plain.dissimilar.map(({ aspect, values }) => [aspect, values])).toEqual([
      ['target', [['x'], ['y']]],
      ['version', [['1'], ['2']]],
    ]);
    expect(judgeGate(plain, 0.05)).toBe('notKnown');
    expect(onlyPair(compareSides([one, other], 'target')).reasons[0]).toBe(
      'You asked what the target changes, and the version of Holdfast differs as well: either may have done it.',
    );
    const onlyTarget = {
      ...other,
      runs: other.runs.map((run) => ({ ...run, conditions: [condition('target', 'y'), condition('version', '1')] })),
    };
    expect(onlyPair(compareSides([one, onlyTarget], 'target')).conclusion).toBe('differs');
    expect(onlyPair(compareSides([one, onlyTarget], 'host')).conclusion).toBe('refused');
  });

  it('refuses if the runs of one side are not repeats of each other', () => {
    const mixed = side('other', ODD, 120);
    const runs = mixed.runs.map((run, index) => ({ ...run, conditions: [condition('load', index === 0 ? '10' : '20')] }));
    const { conclusion, reasons } = onlyPair(
      compareSides([side('one', EVEN, 100, { conditions: [condition('load', '20')] }), { ...mixed, runs }], 'load'),
    );
    expect(conclusion).toBe('refused');
    expect(reasons[0]).toBe('The runs of “other” are not repeats of each other: the load differs among them (what of load).');
  });

  it('compares each further side with the first', () => {
    const { pairs } = compareSides([side('a', EVEN, 100), side('b', ODD, 120), side('c', [10, 11, 12, 13, 14], 100)], null);
    expect(pairs.map(({ reference, side: which, conclusion }) => [reference, which, conclusion])).toEqual([
      [0, 1, 'differs'],
      [0, 2, 'withinNoise'],
    ]);
  });
});
