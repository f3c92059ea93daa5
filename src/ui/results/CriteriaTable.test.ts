import { describe, expect, it } from 'vitest';
import { openFindings } from './Findings.tsx';
import { foldCriteria, MAX_OPEN } from './CriteriaTable.tsx';
import type { CriterionResult } from '#core/result/verdict.ts';

const criterionResult = (outcome: CriterionResult['outcome'], step: string): CriterionResult => ({
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
const passedResults = (count: number): CriterionResult[] =>
  Array.from({ length: count }, (_unused, index) => criterionResult('passed', `kept ${index}`));
const stepsOf = (limits: readonly CriterionResult[]) => limits.map(({ step }) => step);

const unknownResults = (count: number): CriterionResult[] =>
  Array.from({ length: count }, (_unused, index) => criterionResult('unknown', `unknown ${index}`));

it('openFindings: keeps two findings visible, and a third one if it is a problem', () => {
  const openAtLevels = (...levels: ('problem' | 'warning' | 'info')[]) => openFindings(levels.map((level) => ({ level })));
  expect([
    openAtLevels('info'),
    openAtLevels('problem', 'problem', 'problem', 'problem'),
    openAtLevels('problem', 'warning', 'warning'),
  ]).toEqual([1, 3, 2]);
});

describe('foldCriteria', () => {
  it('keeps a few criteria visible in the order of the plan', () => {
    const few = [criterionResult('passed', 'a'), criterionResult('failed', 'b'), ...unknownResults(MAX_OPEN - 2)];
    expect(foldCriteria(few)).toEqual({
      open: few,
      moreFailed: [],
      unknown: [],
      morePassed: [],
      counts: { failed: 1, unknown: 2, passed: 1 },
    });
  });

  it('collapses many passed criteria, and puts failed ones above inconclusive ones', () => {
    const many = passedResults(MAX_OPEN);
    const foldedCriteria = foldCriteria([
      criterionResult('unknown', 'c'),
      ...many,
      criterionResult('failed', 'a'),
      criterionResult('failed', 'b'),
    ]);
    expect(stepsOf(foldedCriteria.open)).toEqual(['a', 'b', 'c']);
    expect([foldedCriteria.moreFailed, foldedCriteria.unknown, foldedCriteria.morePassed]).toEqual([[], [], many]);
    expect(foldedCriteria.counts).toEqual({ failed: 2, unknown: 1, passed: MAX_OPEN });
  });

  it('keeps the first of many inconclusive criteria visible, below the failed ones', () => {
    const many = unknownResults(64);
    const foldedCriteria = foldCriteria([criterionResult('passed', 'b'), ...many, criterionResult('failed', 'a')]);
    expect(stepsOf(foldedCriteria.open)).toEqual(['a', 'unknown 0', 'unknown 1']);
    expect([foldedCriteria.unknown, stepsOf(foldedCriteria.morePassed)]).toEqual([many.slice(2), ['b']]);
  });

  it('collapses many failed criteria separately', () => {
    const moreFailed = Array.from({ length: 100 }, (_unused, index) => criterionResult('failed', `broken ${index}`));
    const foldedCriteria = foldCriteria([...moreFailed, ...unknownResults(2)]);
    expect(foldedCriteria.open).toEqual(moreFailed.slice(0, 3));
    expect([foldedCriteria.moreFailed.length, foldedCriteria.unknown.length]).toEqual([97, 2]);
  });
});
