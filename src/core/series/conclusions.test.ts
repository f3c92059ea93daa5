import { describe, expect, it } from 'vitest';
import { sampleResult } from '#core/result/testing/sampleResult.ts';
import { budgetFigure, listBudgets, isJudged, computeUsedShare } from './smallest.ts';
import type { SmallestMachine } from './result.ts';

describe('budgets of a run', () => {
  const { criteria } = sampleResult();

  it('name their stage only if several stages are judged', () => {
    const [first] = listBudgets({ criteria });
    expect(first).toEqual({
      text: '95 % of responses to “description” within 1 s',
      outcome: 'passed',
      measured: 74,
      limit: 1_000,
      unit: 'ms',
    });
    const other = criteria.map((criterion) => ({ ...criterion, stage: 'peak' }));
    expect(listBudgets({ criteria: [...criteria, ...other] }).map(({ text }) => text.split(' (')[1])).toEqual([
      'full load)',
      'full load)',
      'peak)',
      'peak)',
    ]);
  });
});

describe('computeUsedShare', () => {
  const used = (measured: number | 'never' | null, limit: number, unit: 'ms' | 'share' | 'perSecond' | 'apdex') =>
    computeUsedShare({ measured, limit, unit });

  it('divides the measured value by a maximum', () => {
    expect([used(500, 1_000, 'ms'), used(0.02, 0.01, 'share')]).toEqual([0.5, 2]);
  });

  it('divides a minimum by the measured value', () => {
    expect([used(400, 200, 'perSecond'), used(0.5, 0.9, 'apdex')]).toEqual([0.5, 1.8]);
  });

  it('returns infinity for “never”, and if nothing is allowed or reached', () => {
    expect([used('never', 1_000, 'ms'), used(0.1, 0, 'share'), used(0, 200, 'perSecond')]).toEqual([Infinity, Infinity, Infinity]);
  });

  it('returns 0 if nothing happened that must not happen, and null if nothing was measured', () => {
    expect([used(0, 0, 'share'), used(null, 1_000, 'ms')]).toEqual([0, null]);
  });
});

it('budgetFigure: uses the unit of the limit', () => {
  expect(budgetFigure(896, 'ms')).toBe('896 ms');
  expect(budgetFigure(0.02, 'share')).toBe('2 %');
  expect(budgetFigure(201, 'perSecond')).toBe('201/s');
  expect(budgetFigure(0.9, 'apdex')).toBe('0.9');
  expect(budgetFigure('never', 'share')).toBe('never');
  expect(budgetFigure(null, 'apdex')).toBe('unknown');
});

it('isJudged: returns true if a machine was judged or has a closest limit', () => {
  const machine = (changes: Partial<SmallestMachine['machines'][number]>): SmallestMachine['machines'][number] => ({
    cell: 'a',
    name: 'a',
    judgement: 'notMeasured',
    runs: 1,
    passed: 0,
    closest: null,
    ...changes,
  });
  const judged = (...machines: SmallestMachine['machines']) => isJudged({ machines });
  expect(judged(machine({}), machine({ judgement: 'unclear' }), machine({ judgement: 'withinNoise' }))).toBe(false);
  expect(judged(machine({}), machine({ judgement: 'passed' }))).toBe(true);
  expect(judged(machine({ judgement: 'failed' }))).toBe(true);
  expect(judged(machine({ closest: { text: '', measured: 1, limit: 2, unit: 'ms' } }))).toBe(true);
});
