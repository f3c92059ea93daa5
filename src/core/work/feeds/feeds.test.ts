import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { measureGrowth, leastCpuUs, MAX_GROWTH } from '#core/testing/growth.ts';
import { parseFeed } from './parseFeed.ts';
import { findRow } from './rows.ts';

const csv = { file: 'a.csv', format: undefined, separator: ',' as const };

describe('CSV feeds', () => {
  it('are parsed back exactly, whatever their values contain', () => {
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

  it('may have a byte order mark, empty lines and another separator', () => {
    expect(parseFeed('\ufeffname;pin\n\nada;1\n\n', { ...csv, separator: ';' })).toEqual({
      columns: ['name', 'pin'],
      rows: [['ada', '1']],
      problems: [],
    });
  });

  it('report the line of a problem without its content', () => {
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

describe('JSON lines feeds', () => {
  it('are read as objects with the members of the first line', () => {
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

describe('a file that is not JSON lines', () => {
  it('is rejected with its first problems, faster than a valid file is parsed', () => {
    const jsonLines = { ...csv, format: 'jsonl' as const };
    const [good, bad] = ['{"a":"1","b":2}\n', '}\n'].map((line) => line.repeat(Math.ceil(256_000 / line.length)));
    const read = (text = ''): void => void parseFeed(text, jsonLines);
    expect(parseFeed(bad ?? '', jsonLines).problems).toHaveLength(10);
    expect(leastCpuUs(() => read(bad))).toBeLessThan(2 * leastCpuUs(() => read(good)));
  });

  it('is rejected in linear time if every line lacks every column', () => {
    const read = (size: number): void => {
      const first = Object.fromEntries(Array.from({ length: size }, (_, index) => [`c${index}`, 1]));
      parseFeed(`${JSON.stringify(first)}\n${'{}\n'.repeat(size)}`, { ...csv, format: 'jsonl' });
    };
    expect(measureGrowth(read, 1_000)).toBeLessThan(MAX_GROWTH);
  });
});

describe('findRow:', () => {
  const draw = { seed: 1, user: 0, journey: 0 };

  it('order "sequential" uses all rows equally often', () => {
    const counts = Array.from({ length: 10 }, () => 0);
    for (let user = 0; user < 4; user += 1) {
      for (let journey = 0; journey < 25; journey += 1) {
        const row = findRow('a', { order: 'sequential', rowCount: 10 }, { ...draw, user, journey }, 4) ?? -1;
        counts[row] = (counts[row] ?? 0) + 1;
      }
    }
    expect(counts).toEqual(Array.from({ length: 10 }, () => 10));
  });

  it('order "unique" gives each user a row until all are used', () => {
    const rowOf = (user: number, journey: number): number | null =>
      findRow('a', { order: 'unique', rowCount: 3 }, { ...draw, user, journey }, 3);
    expect([rowOf(0, 0), rowOf(2, 5), rowOf(3, 0)]).toEqual([0, 2, null]);
  });

  it('order "random" draws every row', () => {
    const seen = new Set(Array.from({ length: 200 }, (_, user) => findRow('a', { order: 'random', rowCount: 5 }, { ...draw, user }, 1)));
    expect([...seen].toSorted()).toEqual([0, 1, 2, 3, 4]);
  });
});

describe('a feed with many columns', () => {
  it('is parsed in linear time', () => {
    const read = (count: number): void => {
      const line = Array.from({ length: count }, (_, index) => `c${index}`).join(',');
      parseFeed(`${line}\n`, { file: 'a.csv', format: 'csv', separator: ',' });
    };
    expect(measureGrowth(read, 10_000)).toBeLessThan(MAX_GROWTH);
  });
});
