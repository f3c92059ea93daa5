import { describe, expect, it } from 'vitest';
import { type ComparedRun, type ComparedSide, WHOLE_RUN } from './comparedRun.ts';
import { compareSides, compareWithBaseline } from './compareSides.ts';
import { listDifferences, isPredictable } from './differences.ts';
import type { Condition } from './refusal.ts';
import type { Figure, Measure, Scope } from './schema.ts';
import { detectableChange } from './smallestChange.ts';
import { runWith } from './testing/simulated.ts';

const share = (value: number | null, scope: Scope = WHOLE_RUN): Figure => ({ scope, measure: 'failedShare', value });
/** Mean 0.11, standard deviation 0.0158. */
const FIRST = [0.1, 0.12, 0.11, 0.09, 0.13];

describe('one run compared with several', () => {
  const predicted = (now: number, first = FIRST) =>
    listDifferences({ first: first.map((value) => [share(value)]), second: [[share(now)]], isRefused: false, mayPredict: true })[0];

  it('has a prediction interval: the difference ± 4.604 × 0.0158 × √(1 + 1/5)', () => {
    const { interval, change } = predicted(0.2) ?? {};
    expect(change).toBeCloseTo(0.09, 12);
    expect(interval?.from).toBeCloseTo(0.09 - 4.6041 * 0.0158114 * Math.sqrt(1.2), 5);
    expect(interval?.to).toBeCloseTo(0.09 + 4.6041 * 0.0158114 * Math.sqrt(1.2), 5);
  });

  it('has an interval of a mean for two runs: 0.09 ± 4.0321 × √(0.0012 / 5) × √(1/5 + 1/2), with five degrees of freedom', () => {
    const second = [0.19, 0.21].map((value) => [share(value)]);
    const [one] = listDifferences({ first: FIRST.map((value) => [share(value)]), second, isRefused: false, mayPredict: true });
    expect(one?.interval?.to).toBeCloseTo(0.09 + 4.0321 * Math.sqrt(0.0012 / 5) * Math.sqrt(0.7), 5);
  });

  it('differs at 4.604 or more standard errors, which have a probability of 1 %', () => {
    expect([0.1897, 0.1898].map((now) => predicted(now)?.judgement)).toEqual(['withinNoise', 'differs']);
    expect([0.0303, 0.0302].map((now) => predicted(now)?.judgement)).toEqual(['withinNoise', 'differs']);
  });

  it('assumes a standard deviation of at least a thousandth, even if the other runs agree exactly', () => {
    const alike = [0.1, 0.1, 0.1, 0.1, 0.1];
    expect([0.105, 0.1051].map((now) => predicted(now, alike)?.judgement)).toEqual(['withinNoise', 'differs']);
  });

  it('needs a larger difference with more figures in a family', () => {
    const figures = (count: number, scope: Scope) => (value: number) =>
      Array.from({ length: count }, (_, index) => share(value, { ...scope, name: `${scope.name}${index}` }));
    const judgements = (count: number, scope: Scope) => {
      const of = figures(count, scope);
      const found = listDifferences({ first: FIRST.map(of), second: [of(0.2)], isRefused: false, mayPredict: true });
      return new Set(found.map(({ judgement }) => judgement));
    };
    // 5.2 standard errors: a probability of 0.65 %.
    expect([1, 2].map((count) => [...judgements(count, WHOLE_RUN)])).toEqual([['differs'], ['withinNoise']]);
    const both = (value: number) => [share(value), share(value, { kind: 'step', name: 'a' })];
    const [whole, step] = listDifferences({ first: FIRST.map(both), second: [both(0.2)], isRefused: false, mayPredict: true });
    expect([whole?.judgement, step?.judgement], 'two families').toEqual(['differs', 'differs']);
  });

  it('is judged only against at least five runs, and only while it has fewer runs than they', () => {
    expect([isPredictable(5, 1), isPredictable(5, 4), isPredictable(4, 1), isPredictable(5, 5), isPredictable(5, 0)]).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
    const few = listDifferences({ first: FIRST.map((value) => [share(value)]), second: [[share(0.9)]], isRefused: false });
    expect(few[0]?.judgement, 'nobody said that it may').toBe('tooFew');
  });
});

describe('change of a figure', () => {
  const of = (measure: Measure, from: number, to: number) =>
    listDifferences({
      first: [[{ scope: WHOLE_RUN, measure, value: from }]],
      second: [[{ scope: WHOLE_RUN, measure, value: to }]],
      isRefused: false,
    })[0];

  it.each<readonly [Measure, number, number, string | null]>([
    ['goodPerSecond', 100, 120, 'better'],
    ['goodPerSecond', 100, 80, 'worse'],
    ['p50', 100, 120, 'worse'],
    ['p99', 100, 80, 'better'],
    ['failedShare', 0.1, 0.2, 'worse'],
    ['memory', 100, 120, null],
    ['cpuUsed', 100, 80, null],
    ['p95', 100, 100, null],
  ])('%s from %d to %d is %s', (measure, from, to, direction) => expect(of(measure, from, to)?.direction).toBe(direction));

  it('is a ratio if all values are above 0, except for shares', () => {
    expect([of('p50', 100, 150), of('p50', 0, 150), of('failedShare', 0.1, 0.15)].map((one) => [one?.scale, one?.change])).toEqual([
      ['ratio', expect.closeTo(0.5, 12)],
      ['difference', 150],
      ['difference', expect.closeTo(0.05, 12)],
    ]);
  });

  it('is unknown for a side with a run that lacks the figure', () => {
    const [one] = listDifferences({ first: [[share(0.1)], [share(null)]], second: [[share(0.2)], [share(0.4)]], isRefused: false });
    expect(one).toMatchObject({
      from: null,
      to: { median: expect.closeTo(0.3, 12), least: 0.2, most: 0.4 },
      change: null,
      judgement: 'notKnown',
    });
    const [missing] = listDifferences({ first: [[share(0.1)]], second: [[]], isRefused: false });
    expect(missing).toMatchObject({ to: null, judgement: 'notKnown' });
  });
});

describe('compareSides', () => {
  const side = (name: string, minutes: readonly number[], changes: (index: number) => Partial<ComparedRun> = () => ({})): ComparedSide => ({
    name,
    runs: minutes.map((minute, index) =>
      runWith(minute, { figures: [{ scope: WHOLE_RUN, measure: 'p95', value: 100 + index }], ...changes(index) }),
    ),
  });
  const LATER = [10, 20, 30, 40, 50];
  const pair = (first: ComparedSide, second: ComparedSide) => compareSides([first, second], null).pairs[0];

  it('calls runs alternating if each side began first in at least a quarter of the pairs', () => {
    const inTurn = (...minutes: number[]) => pair(side('a', minutes), side('b', LATER))?.isInterleaved;
    // The first side began first in 18 and 19 of 25 pairs, and then in 7 and 6 of them.
    expect([inTurn(0, 1, 15, 25, 45), inTurn(0, 1, 15, 25, 35)]).toEqual([true, false]);
    expect([inTurn(35, 36, 45, 46, 47), inTurn(35, 45, 46, 47, 48)]).toEqual([true, false]);
    expect(inTurn(0, 1, 2, 3)).toBeNull();
  });

  it('counts incomplete runs and runs with overloaded seconds', () => {
    const cut = (count: number) => side('b', LATER, (index) => ({ leftOut: index < count ? 'You stopped it.' : null }));
    expect(pair(side('a', LATER), cut(1))?.reasons).toContain('1 of 10 runs did not finish and is left out.');
    expect(pair(side('a', LATER), cut(2))?.reasons).toContain('2 of 10 runs did not finish and are left out.');
    const overloaded = side('b', LATER, (index) => ({ overloadedSeconds: index, leftOut: index === 4 ? 'You stopped it.' : null }));
    expect(pair(side('a', LATER), overloaded)?.reasons.join(' ')).toContain('In 3 of 10 runs the load generator was overloaded');
    expect(pair(side('a', LATER), side('b', LATER))?.reasons.join(' ')).not.toMatch(/overloaded|did not finish/);
  });

  it('says that nothing differs, not even what was asked about', () => {
    const asked = (aspect: 'target' | 'host' | null) => compareSides([side('a', LATER), side('b', LATER)], aspect).pairs[0]?.reasons[0];
    expect([asked(null), asked('target')].every((words) => words?.includes('changes in the target itself'))).toBe(true);
    expect(asked('host')).toContain('not even what you asked about');
  });

  it("refuses a plan other than the baseline's, and states no further reason", () => {
    const on = (aspect: Condition['aspect'], value: string) => () => ({ conditions: [{ aspect, what: 'it', value }] });
    const held = (aspect: Condition['aspect']) =>
      compareWithBaseline(side('a', LATER, on(aspect, '1')), side('b', [60], on(aspect, '2'))).pairs[0];
    expect(held('load')).toMatchObject({ conclusion: 'refused', reasons: [expect.stringMatching(/^The plans differ: it \(1 \/ 2\)/)] });
    expect(held('version')?.conclusion).not.toBe('refused');
    expect(held('version')?.reasons[0]).toMatch(/^One run is held against/);
    const two = compareWithBaseline(side('a', LATER), side('b', [60, 61])).pairs[0];
    expect(two?.reasons[0]).toMatch(/^2 runs are held against how far the 5 of “a” are apart/);
  });
});

it('detectableChange: follows from the variance of ten parts (Student’s t with 9 degrees of freedom: 3.25)', () => {
  const seconds = (...times: (number | null)[]) => times.map((p90) => ({ p90 }));
  const calm = seconds(...Array.from({ length: 10 }, () => 100));
  const wavy = seconds(...Array.from({ length: 10 }, (_, second) => (second % 2 === 0 ? 110 : 100 / 1.1)));
  expect(detectableChange(calm, wavy)).toBeCloseTo(Math.exp((3.2498 * Math.log(1.1)) / 3) - 1, 4);
  expect(detectableChange(calm, wavy.slice(1))).toBeNull();
  const without = (first: number | null, of: typeof calm) => [...seconds(first), ...of.slice(1)];
  expect(detectableChange(without(0, calm), wavy)).toBeNull();
  expect([detectableChange(calm, without(0, wavy)), detectableChange(calm, without(null, wavy))]).toEqual([null, null]);
  expect(detectableChange(without(null, calm), wavy)).toBeNull();
  const twice = [...wavy, ...wavy].map((_, second) => ({ p90: Math.floor(second / 2) % 2 === 0 ? 110 : 100 / 1.1 }));
  expect(detectableChange([...calm, ...calm], twice)).toBeCloseTo(detectableChange(calm, wavy) ?? 0, 9);
  expect(detectableChange([...calm, ...seconds(null)], [...wavy, ...seconds(5)])).toBeCloseTo(detectableChange(calm, wavy) ?? 0, 9);
});
