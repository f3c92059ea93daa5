import { expect, it } from 'vitest';
import type { Found } from './rule.ts';
import { settle } from './diagnose.ts';

const found = (id: string, level: Found['level'], insteadOf: readonly string[] = []): Found => ({
  id,
  level,
  sentence: id,
  evidence: [],
  remedy: '',
  confidence: 'certain',
  range: null,
  insteadOf,
});
const ids = (...all: Found[]): string[] => settle(all).map(({ id }) => id);

it('puts the gravest first and keeps the order of the rules within a level', () => {
  expect(ids(found('a', 'info'), found('b', 'warning'), found('c', 'problem'), found('d', 'warning'))).toEqual(['c', 'b', 'd', 'a']);
});

it('leaves out what a more exact finding takes the place of, by id and by beginning', () => {
  expect(ids(found('slots', 'problem', ['status.500']), found('status.500', 'problem'), found('status.5000', 'problem'))).toEqual([
    'slots',
    'status.5000',
  ]);
  expect(ids(found('warm', 'warning', ['first.*']), found('first.page', 'info'), found('firstly', 'info'))).toEqual(['warm', 'firstly']);
});

it('lets nobody take a place who was left out, nor anybody their own', () => {
  expect(ids(found('a', 'info', ['b', 'a']), found('b', 'info', ['c', 'a']), found('c', 'info'))).toEqual(['a', 'c']);
});

it('does not show what it was settled by', () => {
  expect(settle([found('a', 'info', ['b'])])[0]).not.toHaveProperty('insteadOf');
});
