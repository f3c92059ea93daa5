import { expect, it } from 'vitest';
import { figure, markdownTable, signed } from './table.ts';

it('aligns numeric columns to the right, others and empty ones to the left', () => {
  const rows = [
    ['wrk', '1.50', ''],
    ['ab', '–', ''],
  ];
  expect(markdownTable(['generator', 'ratio', 'remarks'], rows)).toBe(
    '| generator | ratio | remarks |\n| --- | ---: | --- |\n| wrk | 1.50 |  |\n| ab | – |  |',
  );
});

it('escapes text in cells', () => {
  expect(markdownTable(['a'], [['x | y\n| z |']])).toBe('| a |\n| --- |\n| x \\| y \\| z \\| |');
});

it('prints a dash for unknown values, and signs of values other than zero', () => {
  expect([figure(null, 1), figure(Number.NaN, 1), figure(0, 1), figure(2.25, 1)]).toEqual(['–', '–', '0.0', '2.3']);
  expect([signed(0.04, 1), signed(0.06, 1), signed(-0.06, 1), signed(null, 1)]).toEqual(['0.0', '+0.1', '-0.1', '–']);
});
