import { expect, it } from 'vitest';
import type { FindingDraft } from './rule.ts';
import { settle } from './diagnose.ts';

const found = (id: string, level: FindingDraft['level'], insteadOf: readonly string[] = []): FindingDraft => ({
  id,
  level,
  sentence: id,
  evidence: [],
  remedy: '',
  confidence: 'certain',
  range: null,
  insteadOf,
});
const ids = (...all: FindingDraft[]): string[] => settle(all).map(({ id }) => id);

it('settle: sorts by severity and keeps the order of rules of the same severity', () => {
  expect(ids(found('a', 'info'), found('b', 'warning'), found('c', 'problem'), found('d', 'warning'))).toEqual(['c', 'b', 'd', 'a']);
});

it('settle: removes findings that a more precise one replaces, by id and by prefix', () => {
  expect(ids(found('slots', 'problem', ['status.500']), found('status.500', 'problem'), found('status.5000', 'problem'))).toEqual([
    'slots',
    'status.5000',
  ]);
  expect(ids(found('warm', 'warning', ['first.*']), found('first.page', 'info'), found('firstly', 'info'))).toEqual(['warm', 'firstly']);
});

it('settle: lets a removed finding replace nothing, and no finding replace itself', () => {
  expect(ids(found('a', 'info', ['b', 'a']), found('b', 'info', ['c', 'a']), found('c', 'info'))).toEqual(['a', 'c']);
});

it('settle: omits the list of replaced findings', () => {
  expect(settle([found('a', 'info', ['b'])])[0]).not.toHaveProperty('insteadOf');
});
