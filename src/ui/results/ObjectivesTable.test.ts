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
  it('leaves a few limits as they were planned', () => {
    const few = [limit('holds', 'a'), limit('breaks', 'b'), ...kept(MOST_OPEN - 1), ...unknown(MOST_OPEN)];
    expect(foldedLimits(few)).toEqual({ open: few, unknown: [], kept: [], counts: { breaks: 1, unknown: MOST_OPEN, holds: MOST_OPEN } });
  });

  it('folds many that were kept, and puts what broke above what is not known', () => {
    const many = kept(MOST_OPEN + 1);
    const folded = foldedLimits([limit('unknown', 'c'), ...many, limit('breaks', 'a'), limit('breaks', 'b')]);
    expect(steps(folded.open)).toEqual(['a', 'b', 'c']);
    expect([folded.unknown, folded.kept]).toEqual([[], many]);
    expect(folded.counts).toEqual({ breaks: 2, unknown: 1, holds: MOST_OPEN + 1 });
  });

  it('leaves the first open of many that are not known, above the few that were kept', () => {
    const many = unknown(64);
    const folded = foldedLimits([limit('holds', 'b'), ...many, limit('breaks', 'a')]);
    expect(steps(folded.open)).toEqual(['a', ...steps(many.slice(0, MOST_OPEN)), 'b']);
    expect([folded.unknown, folded.kept]).toEqual([many.slice(MOST_OPEN), []]);
  });

  it('never folds what broke, however many', () => {
    const broken = Array.from({ length: 100 }, (_unused, index) => limit('breaks', `broken ${index}`));
    expect(foldedLimits(broken)).toMatchObject({ open: broken, unknown: [], kept: [] });
  });
});
