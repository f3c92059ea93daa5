import { expect, it } from 'vitest';
import { formatFigure, markdownTable, formatSigned } from './table.ts';

it('a table aligns numeric columns to the right, and text or empty columns to the left', () => {
  const rows = [
    ['wrk', '1.50', ''],
    ['ab', '–', ''],
  ];
  expect(markdownTable(['generator', 'ratio', 'remarks'], rows)).toBe(
    '| generator | ratio | remarks |\n| --- | ---: | --- |\n| wrk | 1.50 |  |\n| ab | – |  |',
  );
});

it('a table escapes text in its cells', () => {
  expect(markdownTable(['a'], [['x | y\n| z |']])).toBe('| a |\n| --- |\n| x \\| y \\| z \\| |');
});

it('a table prints a dash for an unknown value, and a sign for a value other than zero', () => {
  expect([formatFigure(null, 1), formatFigure(Number.NaN, 1), formatFigure(0, 1), formatFigure(2.25, 1)]).toEqual(['–', '–', '0.0', '2.3']);
  expect([formatSigned(0.04, 1), formatSigned(0.06, 1), formatSigned(-0.06, 1), formatSigned(null, 1)]).toEqual([
    '0.0',
    '+0.1',
    '-0.1',
    '–',
  ]);
});
