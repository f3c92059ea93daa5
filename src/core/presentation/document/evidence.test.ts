import { describe, expect, it } from 'vitest';
import { formatMeasured, criterionTable } from './evidence.ts';
import type { CriterionResult } from '#core/result/verdict.ts';

const result = (changes: Partial<CriterionResult>): CriterionResult => ({
  criterion: { kind: 'responseTime', percentile: 95, maxMs: 1_000 },
  text: '',
  stage: 'full load',
  step: 'submit',
  outcome: 'failed',
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

describe('formatMeasured', () => {
  it('uses the unit of the criterion', () => {
    expect(formatMeasured(result({}))).toBe('2.4 s');
    expect(formatMeasured(result({ measured: 'never' }))).toBe('more than 5 % of requests failed');
    expect(formatMeasured(result({ unit: 'share', measured: 1 / 600 }))).toBe('0.167 %');
    expect(formatMeasured(result({ unit: 'perSecond', measured: 981.7 }))).toBe('982/s');
    expect(formatMeasured(result({ unit: 'apdex', measured: 0.9 }))).toBe('0.90');
    expect(formatMeasured(result({ unit: 'share', measured: null }))).toBe('unknown');
  });
});

describe('criterionTable', () => {
  const rowOf = (changes: Partial<CriterionResult>) => criterionTable('', [result(changes)])[0]?.rows[0];

  it('shows an interval only for shares, and a step only for criteria about a step', () => {
    expect(rowOf({})?.slice(2)).toEqual(['full load, submit', '2.4 s', '5,000', '700', '13.2 % to 14.9 %', '2:40']);
    expect(rowOf({ shareLow: 2.5e-14, shareHigh: 1 })?.[6]).toBe('0 % to 100 %');
    expect(rowOf({ shareLow: null, step: null, fromSecond: null })?.slice(2)).toEqual(['full load', '2.4 s', '5,000', '700']);
  });

  it('omits evidence columns that are always empty', () => {
    const namesOf = (all: readonly Partial<CriterionResult>[]) => criterionTable('', all.map(result))[0]?.columns.map(({ name }) => name);
    const nothing = { shareLow: null, shareHigh: null, fromSecond: null };
    expect(namesOf([nothing])).toEqual(['Criterion', 'Outcome', 'Where', 'Measured', 'Counted', 'Over']);
    expect(namesOf([nothing, {}])).toEqual(['Criterion', 'Outcome', 'Where', 'Measured', 'Counted', 'Over', 'Share over', 'From']);
  });

  it('omits the column “Where” if all criteria have different texts', () => {
    const [found] = criterionTable('', [result({ text: 'during “low”' }), result({ text: 'during “high”' })]);
    expect(found?.columns.map(({ name }) => name)).not.toContain('Where');
  });
});
