import { describe, expect, it } from 'vitest';
import { openFindings } from './Findings.tsx';
import { foldCriteria, MAX_OPEN } from './CriteriaTable.tsx';
import type { CriterionResult } from '#core/result/verdict.ts';

const limit = (outcome: CriterionResult['outcome'], step: string): CriterionResult => ({
  criterion: { kind: 'responseTime', percentile: 95, maxMs: 1_000 },
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
const morePassed = (count: number): CriterionResult[] =>
  Array.from({ length: count }, (_unused, index) => limit('passed', `kept ${index}`));
const steps = (limits: readonly CriterionResult[]) => limits.map(({ step }) => step);

const unknown = (count: number): CriterionResult[] =>
  Array.from({ length: count }, (_unused, index) => limit('unknown', `unknown ${index}`));

it('openFindings: keeps two findings open, and a third one if it is a problem', () => {
  const of = (...levels: ('problem' | 'warning' | 'info')[]) => openFindings(levels.map((level) => ({ level })));
  expect([of('info'), of('problem', 'problem', 'problem', 'problem'), of('problem', 'warning', 'warning')]).toEqual([1, 3, 2]);
});

describe('foldedLimits', () => {
  it('keeps a few criteria open in the order of the plan', () => {
    const few = [limit('passed', 'a'), limit('failed', 'b'), ...unknown(MAX_OPEN - 2)];
    expect(foldCriteria(few)).toEqual({
      open: few,
      moreFailed: [],
      unknown: [],
      morePassed: [],
      counts: { failed: 1, unknown: 2, passed: 1 },
    });
  });

  it('folds many passed criteria, and puts failed ones above inconclusive ones', () => {
    const many = morePassed(MAX_OPEN);
    const folded = foldCriteria([limit('unknown', 'c'), ...many, limit('failed', 'a'), limit('failed', 'b')]);
    expect(steps(folded.open)).toEqual(['a', 'b', 'c']);
    expect([folded.moreFailed, folded.unknown, folded.morePassed]).toEqual([[], [], many]);
    expect(folded.counts).toEqual({ failed: 2, unknown: 1, passed: MAX_OPEN });
  });

  it('keeps the first of many inconclusive criteria open, below the failed ones', () => {
    const many = unknown(64);
    const folded = foldCriteria([limit('passed', 'b'), ...many, limit('failed', 'a')]);
    expect(steps(folded.open)).toEqual(['a', 'unknown 0', 'unknown 1']);
    expect([folded.unknown, steps(folded.morePassed)]).toEqual([many.slice(2), ['b']]);
  });

  it('folds many failed criteria separately', () => {
    const moreFailed = Array.from({ length: 100 }, (_unused, index) => limit('failed', `broken ${index}`));
    const folded = foldCriteria([...moreFailed, ...unknown(2)]);
    expect(folded.open).toEqual(moreFailed.slice(0, 3));
    expect([folded.moreFailed.length, folded.unknown.length]).toEqual([97, 2]);
  });
});
