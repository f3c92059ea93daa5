import { expect, it } from 'vitest';
import { decideOutcome, reachesAim, requirementCells, type Requirement } from './requirement.ts';

const ratio = (value: number | null, kind: Requirement['limit']['kind'] = 'atLeast', limit = 0.7): Requirement => ({
  what: 'ours ÷ theirs',
  value,
  unit: '',
  limit: { kind, value: limit },
  aim: kind === 'atMost' ? 0.1 : 1,
});

it('decideOutcome counts a value at the limit as met', () => {
  expect(decideOutcome(ratio(0.7))).toBe('met');
  expect(decideOutcome(ratio(0.699))).toBe('missed');
  expect(decideOutcome(ratio(0.7, 'above'))).toBe('missed');
  expect(decideOutcome(ratio(0.7, 'atMost'))).toBe('met');
  expect(decideOutcome(ratio(0.701, 'atMost'))).toBe('missed');
});

it('decideOutcome never counts a missing measurement as met', () => {
  expect([decideOutcome(ratio(null)), decideOutcome(ratio(Number.NaN))]).toEqual(['unknown', 'unknown']);
  expect(requirementCells(ratio(null))).toEqual(['ours ÷ theirs', '–', '≥ 0.7', '1', 'unknown']);
});

it('reachesAim compares in the direction of the limit', () => {
  expect([reachesAim(ratio(1)), reachesAim(ratio(0.99)), reachesAim({ ...ratio(9), aim: null })]).toEqual([true, false, false]);
  expect([reachesAim(ratio(0.1, 'atMost')), reachesAim(ratio(0.2, 'atMost'))]).toEqual([true, false]);
  expect(requirementCells(ratio(1.234_56))).toEqual(['ours ÷ theirs', '1.235', '≥ 0.7', '1', 'met, the aim too']);
});
