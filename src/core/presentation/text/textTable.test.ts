import fc from 'fast-check';
import { expect, it } from 'vitest';
import { textTable } from './textTable.ts';

const columns = [{ name: '' }, ...['mean', 'highest', 'at'].map((name) => ({ name, numeric: true }))];

it('textTable: aligns names and figures in columns', () => {
  expect(
    textTable({
      columns,
      rows: [
        ['in use', '50 %', '99.1 %', '3 s'],
        ['loaded', '1', '2', '1 min 3 s'],
      ],
    }),
  ).toEqual(['          mean  highest         at', '  in use  50 %   99.1 %        3 s', '  loaded     1        2  1 min 3 s']);
});

it('textTable: puts a long name on its own line', () => {
  const name = 'TIME_WAIT at the connecting end, by destination: 127.0.0.1:54330';
  expect(
    textTable({
      columns,
      rows: [
        ['all', '1', '2', '3 s'],
        [name, '134', '630', '59 s'],
      ],
    }),
  ).toEqual(['        mean  highest    at', '  all      1        2   3 s', `  ${name}`, '         134      630  59 s']);
});

it('textTable: fits any width without losing text', () => {
  const word = fc.stringMatching(/^[a-z0-9.:]{1,9}$/);
  const name = fc.array(word, { minLength: 1, maxLength: 12 }).map((words) => words.join(' '));
  fc.assert(
    fc.property(
      fc.array(fc.tuple(name, word, word, word), { minLength: 1, maxLength: 5 }),
      fc.integer({ min: 24, max: 120 }),
      (rows, width) => {
        const lines = textTable({ columns, rows }, width);
        const letters = (text: string): string => text.replaceAll(/\s/g, '');
        for (const row of rows) for (const cell of row) expect(letters(lines.join(''))).toContain(letters(cell));
        expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width);
      },
    ),
  );
});

it('textTable: labels rows, indents parts, and omits minor columns if space is short', () => {
  const table = {
    columns: [{ name: 'Stage' }, { name: 'State' }, { name: 'Sent', numeric: true }, { name: 'Offered', numeric: true, minor: true }],
    rows: [
      ['load', 'kept', '1', '100 %'],
      [{ text: 'page', isPart: true, about: 'once' }, 'missed', '20', ''],
    ],
  };
  expect(textTable(table)).toEqual([
    '  Stage   State   Sent  Offered',
    '  load    kept       1    100 %',
    '    page  missed    20',
    '      once',
  ]);
  expect(textTable(table, 26)).toEqual(['  Stage   State   Sent', '  load    kept       1', '    page  missed    20', '      once']);
});
