import { describe, expect, it } from 'vitest';
import type { ObjectiveResult } from '#core/result/schema.ts';
import { foldedLimits, intervalWords, limitWords, measuredWords, MOST_OPEN, whereWords } from './ObjectivesTable.tsx';

const result = (changes: Partial<ObjectiveResult>): ObjectiveResult => ({
  objective: { kind: 'responseTime', percentile: 95, limitMs: 1_000 },
  text: '',
  stage: 'full load',
  step: 'submit',
  outcome: 'breaks',
  reason: '',
  unknownBecause: null,
  measured: 2_400,
  limit: 1_000,
  unit: 'ms',
  counted: 5_000,
  over: 700,
  shareLow: 0.132,
  shareHigh: 0.149,
  fromSecond: 160,
  ...changes,
});

describe('measuredWords', () => {
  it('reads in the unit of the objective', () => {
    expect(measuredWords(result({}))).toBe('2.4 s');
    expect(measuredWords(result({ measured: 'never' }))).toBe('more than 1 in 20 got no good answer');
    expect(measuredWords(result({ unit: 'share', measured: 1 / 600 }))).toBe('1 in 600');
    expect(measuredWords(result({ unit: 'perSecond', measured: 981.7 }))).toBe('982/s');
    expect(measuredWords(result({ unit: 'apdex', measured: 0.9 }))).toBe('0.90');
    expect(measuredWords(result({ unit: 'share', measured: null }))).toBe('not known');
  });
});

describe('limitWords', () => {
  it('reads in the same unit', () => {
    expect(limitWords(result({}))).toBe('1 s');
  });
});

describe('intervalWords', () => {
  it('is empty where the objective is not about a share', () => {
    expect(intervalWords(result({}))).toBe('13.2 % – 14.9 %');
    expect(intervalWords(result({ shareLow: null }))).toBe('');
  });
});

describe('whereWords', () => {
  it('names the step when one was judged', () => {
    expect(whereWords(result({}))).toBe('full load, submit');
    expect(whereWords(result({ step: null }))).toBe('full load');
  });
});

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
