import { describe, expect, it } from 'vitest';
import { toMark } from './Marks.tsx';

describe('toMark', () => {
  it.each([
    ['finished', 'passed', 'passed'],
    ['finished', 'inconclusive', 'inconclusive'],
    ['finished', 'measured', 'measured'],
    ['finished', null, 'measured'],
    ['interrupted', 'measured', 'interrupted'],
    ['interrupted', 'inconclusive', 'interrupted'],
    ['interrupted', 'failed', 'failed'],
    ['stopped', 'measured', 'stopped'],
    ['failed', null, 'error'],
    ['draining', null, 'running'],
    ['preparing', 'measured', 'running'],
  ] as const)('returns for a run that is %s with verdict %s: %s', (state, outcome, mark) => {
    expect(toMark(state, outcome)).toBe(mark);
  });
});
