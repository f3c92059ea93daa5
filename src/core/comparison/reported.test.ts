import { describe, expect, it } from 'vitest';
import { WHOLE_RUN } from './comparedRun.ts';
import { compareSides } from './compareSides.ts';
import { isTooVariable, listReasons, writeSentence, requireCompleteSide } from './conclusion.ts';
import type { FigureDifference, Measure, Scope } from './schema.ts';
import { runWith } from './testing/simulated.ts';

const CHECKOUT: Scope = { kind: 'step', name: 'checkout' };

function difference(measure: Measure, change: number, changes: Partial<FigureDifference> = {}): FigureDifference {
  const less = measure !== 'goodPerSecond';
  return {
    scope: WHOLE_RUN,
    measure,
    from: { median: 100, least: 100, most: 100 },
    to: { median: 200, least: 200, most: 200 },
    scale: measure === 'failedShare' ? 'difference' : 'ratio',
    change,
    interval: null,
    judgement: 'differs',
    direction: change > 0 === less ? 'worse' : 'better',
    ...changes,
  };
}
const first = requireCompleteSide({ name: 'before', runs: [runWith(0), runWith(1, { leftOut: 'You stopped it.' })] });
const second = requireCompleteSide({ name: 'after', runs: [runWith(2)] });
const sides = { first, second, isBaseline: false };
const differs = (...claimed: FigureDifference[]): string => writeSentence('differs', { ...sides, claimed, differences: claimed });
const noise = (...differences: FigureDifference[]): string => writeSentence('withinNoise', { ...sides, claimed: [], differences });

describe('headline of a difference', () => {
  it('is about whole runs, even if a step changed more', () => {
    expect(differs(difference('p95', 3, { scope: CHECKOUT }), difference('p95', 0.1))).toMatch(/^“after” is worse than “before”: p95/);
    expect(differs(difference('p95', 3, { scope: CHECKOUT }))).toMatch(/^“after” is worse than “before” in “checkout”: /);
    expect(differs(difference('p95', 3, { scope: { kind: 'stage', name: 'main' } }))).toContain(' in stage “main”: ');
  });

  it('is about failures if their share changes by 1 % or more', () => {
    expect(differs(difference('p50', 9), difference('failedShare', 0.01))).toMatch(/“before”: failed .*, \+1 points/);
    expect(differs(difference('p50', 9), difference('failedShare', 0.0099))).toMatch(/“before”: p50/);
    expect(differs(difference('failedShare', 0.0099))).toContain('is slightly worse than');
  });

  it('is about the first figure whose change is at least half as large as the largest, measured by factors', () => {
    // A factor of √3 is half as large a change as a factor of 3.
    expect(differs(difference('p95', Math.sqrt(3) - 0.99), difference('p50', 2))).toContain(': p95');
    expect(differs(difference('p95', Math.sqrt(3) - 1.01), difference('p50', 2))).toContain(': p50');
    expect(differs(difference('p95', -0.44), difference('p50', 2))).toMatch(/is better than “before” in one way and worse in another: p95/);
    // Halving is half as large a change as quadrupling.
    expect(differs(difference('p95', 3), difference('p50', -0.5))).toContain('in one way and');
    // A change of an error rate below 1 % is a difference, not a ratio, and ranks below all other changes.
    expect(differs(difference('failedShare', 0.009), difference('p95', 0.015))).toContain(': p95');
  });

  it('calls a change below 2 % slight', () => {
    expect([0.02, 0.0199].map((change) => differs(difference('p95', change)).includes('slightly'))).toEqual([false, true]);
    expect([-0.02, -0.0199].map((change) => differs(difference('p95', change)).includes('slightly'))).toEqual([false, true]);
    expect(differs(difference('p95', 0.001, { scale: 'difference' }))).not.toContain('slightly');
  });

  it('includes the interval of the change, if there is one', () => {
    expect(differs(difference('p95', 1, { interval: { from: 0.5, to: 2 } }))).toContain('+100 % (99 % interval: +50 % to +200 %)');
    expect(differs(difference('p95', 1))).toBe('“after” is worse than “before”: p95 200 ms instead of 100 ms, +100 %.');
  });
});

describe('conclusion without a significant difference', () => {
  const within = (from: number, to: number, changes: Partial<FigureDifference> = {}) =>
    difference('p95', 0, { interval: { from, to }, judgement: 'withinNoise', direction: null, ...changes });

  it('states which changes of whole runs remain possible, p95 before throughput', () => {
    expect(noise(difference('goodPerSecond', 0, { interval: { from: -0.5, to: 0.5 } }), within(-0.1, 0.1))).toContain(
      'Still possible for “p95”: −10 % to +10 %.',
    );
    expect(noise(within(-0.1, 0.1, { scope: CHECKOUT }))).not.toContain('Still possible');
    expect(noise(within(-0.1, 0.1, { interval: null }), difference('p50', 0, { interval: { from: -0.2, to: 0.2 } }))).toContain('“p50”');
    expect(noise()).toBe('No difference between “after” and “before” beyond normal run-to-run variation.');
  });

  it('is inconclusive if a ratio may have changed by more than 25 %', () => {
    expect([0.25, 0.251].map((to) => isTooVariable([within(0, to)]))).toEqual([false, true]);
    expect(isTooVariable([within(-1, 1, { scale: 'difference' })])).toBe(false);
  });

  it('counts figures that would be significant if they were judged alone', () => {
    const reasons = (...differences: FigureDifference[]): string =>
      listReasons({ first, second, differing: [], asked: null, isInterleaved: null, differences, isRefused: false }).join(' ');
    const all = [
      within(0.01, 0.2),
      within(-0.2, -0.01),
      within(0, 0.2),
      within(-0.2, 0),
      within(-0.1, 0.1),
      difference('p99', 1),
      within(0.1, 0.2, { interval: null }),
    ];
    expect(reasons(...all)).toContain('2 of 7 figures would count as different on their own; among so many, chance produces one.');
    expect(reasons(...all.slice(2, 6))).not.toContain(' own;');
    expect(reasons(difference('p99', 1, { interval: { from: 0.5, to: 2 } }))).not.toContain(' own;');
  });
});

it('writeSentence: names the sides of a pair that was refused or has too few runs', () => {
  const nothing = { ...sides, claimed: [], differences: [] };
  expect(writeSentence('refused', nothing)).toMatch(/^No conclusion whether “after” is better or worse than “before”: /);
  expect(writeSentence('tooFew', nothing)).toBe(
    'Too few runs: 1 whole ones of 2 and 1. From 5 of each on, a difference can be distinguished from chance.',
  );
  expect(requireCompleteSide(undefined)).toEqual({ name: '', runs: [], whole: [] });
});

it('comparison: omits the figures of its single runs', () => {
  const { figures: _figures, conditions: _conditions, ...head } = runWith(3, { note: 'warm' });
  const { sides: reported } = compareSides(
    [
      { name: 'a', runs: [runWith(3, { note: 'warm' })] },
      { name: 'b', runs: [] },
    ],
    null,
  );
  expect(reported).toEqual([
    { name: 'a', runs: [head] },
    { name: 'b', runs: [] },
  ]);
});
