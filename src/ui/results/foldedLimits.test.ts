import { describe, expect, it } from 'vitest';
import type { ObjectiveResult } from '#core/report/result.ts';
import { foldedLimits, MOST_KEPT_OPEN } from './foldedLimits.ts';

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

describe('foldedLimits', () => {
  it('leaves a few limits as they were planned', () => {
    const few = [limit('holds', 'a'), limit('breaks', 'b'), ...kept(MOST_KEPT_OPEN - 1), limit('unknown', 'c')];
    expect(foldedLimits(few)).toEqual({ open: few, folded: [], counts: { breaks: 1, unknown: 1, holds: MOST_KEPT_OPEN } });
  });

  it('folds many that were kept, and puts what broke above what is not known', () => {
    const many = kept(MOST_KEPT_OPEN + 1);
    const { open, folded, counts } = foldedLimits([limit('unknown', 'c'), ...many, limit('breaks', 'a'), limit('breaks', 'b')]);
    expect(steps(open)).toEqual(['a', 'b', 'c']);
    expect(steps(folded)).toEqual(steps(many));
    expect(counts).toEqual({ breaks: 2, unknown: 1, holds: MOST_KEPT_OPEN + 1 });
  });

  it('never folds what was not kept, however many', () => {
    const broken = Array.from({ length: 100 }, (_unused, index) => limit('breaks', `broken ${index}`));
    expect(foldedLimits(broken)).toMatchObject({ open: broken, folded: [] });
  });
});
