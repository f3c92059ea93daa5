import { describe, expect, it } from 'vitest';
import type { ObjectiveResult } from '#core/result/schema.ts';
import { foldedLimits, MOST_OPEN } from './ObjectivesTable.tsx';

const limit = (outcome: ObjectiveResult['outcome'], step: string): ObjectiveResult => ({
  objective: { kind: 'responseTime', percentile: 95, limitMs: 1_000 },
  text: '',
  stage: 'full load',
  step,
  outcome,
  reason: '',
  unknownBecause: null,
  measured: 900,
  limit: 1_000,
  unit: 'ms',
  counted: 5_000,
  over: 0,
  shareLow: null,
  shareHigh: null,
  fromSecond: null,
});
const kept = (count: number): ObjectiveResult[] => Array.from({ length: count }, (_unused, index) => limit('holds', `kept ${index}`));
const steps = (limits: readonly ObjectiveResult[]) => limits.map(({ step }) => step);

const unknown = (count: number): ObjectiveResult[] =>
  Array.from({ length: count }, (_unused, index) => limit('unknown', `unknown ${index}`));

describe('foldedLimits', () => {
  it('leaves a few criteria as they were planned', () => {
    const few = [limit('holds', 'a'), limit('breaks', 'b'), ...unknown(MOST_OPEN - 2)];
    expect(foldedLimits(few)).toEqual({ open: few, passed: [] });
    expect(foldedLimits(kept(MOST_OPEN))).toEqual({ open: kept(MOST_OPEN), passed: [] });
  });

  it('folds all of many that passed', () => {
    const many = kept(MOST_OPEN + 1);
    expect(foldedLimits(many)).toEqual({ open: [], passed: many });
  });

  it('folds none that failed or is inconclusive, however many: the failed first, all in the order of the plan', () => {
    const broken = Array.from({ length: 100 }, (_unused, index) => limit('breaks', `broken ${index}`));
    const open = unknown(64);
    const folded = foldedLimits([limit('holds', 'a'), ...open, ...broken, limit('holds', 'b')]);
    expect(folded.open).toEqual([...broken, ...open]);
    expect(steps(folded.passed)).toEqual(['a', 'b']);
  });
});
