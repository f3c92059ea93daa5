import { expect, it } from 'vitest';
import { scoreMatch } from './fuzzy.ts';

const best = (query: string, texts: readonly string[]): string[] =>
  texts
    .map((text) => ({ text, score: scoreMatch(query, text) }))
    .filter(({ score }) => score !== null)
    .toSorted((one, other) => (other.score ?? 0) - (one.score ?? 0))
    .map(({ text }) => text);

it('scoreMatch: finds letters in their order, at starts of words first', () => {
  expect(best('bp', ['Subprocess', 'Breaking point', 'Probe'])).toEqual(['Breaking point', 'Subprocess']);
  expect(best('hist', ['Hosts', 'Chistory', 'History'])).toEqual(['History', 'Chistory']);
});

it('scoreMatch: finds words in any order', () => {
  expect(best('shop load', ['Load of the shop', 'Load of the school'])).toEqual(['Load of the shop']);
});

it('scoreMatch: matches everything without a query, and nothing that lacks a letter', () => {
  expect(best('  ', ['one', 'a longer one'])).toEqual(['one', 'a longer one']);
  expect(best('x', ['one'])).toEqual([]);
});
