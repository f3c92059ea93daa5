import { expect, it } from 'vitest';
import { laterWords } from './laterWords.ts';
import { formatWhen } from './words.ts';

const now = new Date(2026, 10, 21, 9, 0);
const at = (day: number, hour: number): string => new Date(2026, 10, day, hour, 5).toISOString();

it.each([
  [at(21, 8), 'today, 08:05 AM'],
  [at(20, 23), 'yesterday, 11:05 PM'],
  [at(19, 10), 'Nov 19, 2026, 10:05 AM'],
])('%s is written as %s', (moment, text) => {
  expect(formatWhen(moment, now).replaceAll('\u202f', ' ')).toBe(text);
});

it("the name of a side contains the side's letter once, whether or not the given name begins with the letter", () => {
  const { sideWithName } = laterWords.compare.charts;
  expect(sideWithName('A', 'before')).toBe('Side A: before');
  expect(sideWithName('A', 'A: page')).toBe('Side A: page');
});
