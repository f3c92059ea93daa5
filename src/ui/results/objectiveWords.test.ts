import { describe, expect, it } from 'vitest';
import type { ObjectiveResult } from '#core/result/schema.ts';
import { intervalWords, limitWords, measuredWords, whereWords } from './objectiveWords.ts';

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
