import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { growthOf, leastCpuUs, MOST_GROWTH } from '#core/testing/growth.ts';
import { parseFeed } from './parseFeed.ts';
import { rowFor } from './rows.ts';

const csv = { file: 'a.csv', format: undefined, separator: ',' as const };

describe('CSV', () => {
  it('is read back as it was written, whatever the values hold', () => {
    const field = fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'ü', ';') });
    const quoted = (value: string): string => `"${value.replaceAll('"', '""')}"`;
    const plain = /^[^",\r\n]*$/;
    fc.assert(
      fc.property(
        fc.array(fc.tuple(field, field), { maxLength: 6 }),
        fc.constantFrom('\n', '\r\n'),
        fc.boolean(),
        (rows, end, quotesAll) => {
          const written = (value: string): string => (quotesAll || !plain.test(value) ? quoted(value) : value);
          const text = ['one,two', ...rows.map((row) => row.map(written).join(','))].join(end);
          expect(parseFeed(text, csv)).toEqual({ columns: ['one', 'two'], rows: rows.map((row) => [...row]), problems: [] });
        },
      ),
    );
  });

  it('may begin with a byte order mark, hold empty lines, and be separated otherwise', () => {
    expect(parseFeed('\ufeffname;pin\n\nada;1\n\n', { ...csv, separator: ';' })).toEqual({
      columns: ['name', 'pin'],
      rows: [['ada', '1']],
      problems: [],
    });
  });

  it('says in which line something is wrong, and not what stands there', () => {
    const { problems } = parseFeed('name,password\nada,secret1\nbob\n"x\ny",secret2\ncid,secret3,more\n', csv);
    expect(problems).toEqual([
      { line: 3, message: 'it has 1 value, and the first line names 2' },
      { line: 6, message: 'it has 3 values, and the first line names 2' },
    ]);
    expect(parseFeed('a,b\n1,"2\n3,4', csv).problems).toEqual([{ line: 2, message: 'a value begins with " and never ends' }]);
    expect(parseFeed('a,b\n1,"2"x\n', csv).problems[0]?.line).toBe(2);
    expect(parseFeed('a,,a\n', csv).problems).toHaveLength(2);
    expect(parseFeed('', csv).problems).toEqual([{ line: 1, message: 'it is empty' }]);
  });
});

describe('JSON lines', () => {
  it('are objects with the names of the first', () => {
    const text = '{"name":"ada","age":36}\n\n{"age":7,"name":"bob","more":[1]}\n';
    expect(parseFeed(text, { ...csv, file: 'a.jsonl' })).toEqual({
      columns: ['name', 'age'],
      rows: [
        ['ada', '36'],
        ['bob', '7'],
      ],
      problems: [],
    });
    const { problems } = parseFeed('{"a":1}\n[1]\n{"b":2}\n{"a"', { ...csv, format: 'jsonl' });
    expect(problems.map(({ line }) => line)).toEqual([2, 3, 4]);
  });
});

describe('a file that is no JSON lines at all', () => {
  it('is refused with its first problems, sooner than a good one of its length is read', () => {
    const jsonLines = { ...csv, format: 'jsonl' as const };
    const [good, bad] = ['{"a":"1","b":2}\n', '}\n'].map((line) => line.repeat(Math.ceil(256_000 / line.length)));
    const read = (text = ''): void => void parseFeed(text, jsonLines);
    expect(parseFeed(bad ?? '', jsonLines).problems).toHaveLength(10);
    expect(leastCpuUs(() => read(bad))).toBeLessThan(2 * leastCpuUs(() => read(good)));
  });

  it('names not each of very many columns for each of very many lines', () => {
    const read = (size: number): void => {
      const first = Object.fromEntries(Array.from({ length: size }, (_, index) => [`c${index}`, 1]));
      parseFeed(`${JSON.stringify(first)}\n${'{}\n'.repeat(size)}`, { ...csv, format: 'jsonl' });
    };
    expect(growthOf(read, 1_000)).toBeLessThan(MOST_GROWTH);
  });
});

describe('the row of a journey', () => {
  const draw = { seed: 1, user: 0, journey: 0 };

  it('is the next one in turn, and all are used equally often', () => {
    const counts = Array.from({ length: 10 }, () => 0);
    for (let user = 0; user < 4; user += 1) {
      for (let journey = 0; journey < 25; journey += 1) {
        const row = rowFor('a', { order: 'sequential', rowCount: 10 }, { ...draw, user, journey }, 4) ?? -1;
        counts[row] = (counts[row] ?? 0) + 1;
      }
    }
    expect(counts).toEqual(Array.from({ length: 10 }, () => 10));
  });

  it('belongs to one user only, until they are used up', () => {
    const rowOf = (user: number, journey: number): number | null =>
      rowFor('a', { order: 'unique', rowCount: 3 }, { ...draw, user, journey }, 3);
    expect([rowOf(0, 0), rowOf(2, 5), rowOf(3, 0)]).toEqual([0, 2, null]);
  });

  it('is any of them', () => {
    const seen = new Set(Array.from({ length: 200 }, (_, user) => rowFor('a', { order: 'random', rowCount: 5 }, { ...draw, user }, 1)));
    expect([...seen].toSorted()).toEqual([0, 1, 2, 3, 4]);
  });
});

describe('a feed of very many columns', () => {
  it('is read in a time that grows as it does', () => {
    const read = (count: number): void => {
      const line = Array.from({ length: count }, (_, index) => `c${index}`).join(',');
      parseFeed(`${line}\n`, { file: 'a.csv', format: 'csv', separator: ',' });
    };
    expect(growthOf(read, 10_000)).toBeLessThan(MOST_GROWTH);
  });
});
