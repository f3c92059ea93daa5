import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { arrivals, stages, users } from '../testing/plans.ts';
import { expandSeries, listTurns } from './cells.ts';
import { checkSeries } from './check.ts';
import { seriesSchema } from '#core/plan/schema/series.ts';
import { documentWith } from './testing/series.ts';

const variants = [
  { name: 'node', factors: { processes: 1 }, targets: [{ url: 'http://127.0.0.1:1/' }] },
  { name: 'gunicorn', factors: { processes: 1 }, targets: [{ url: 'http://127.0.0.1:2/' }] },
];

describe('expandSeries', () => {
  it('makes a cell for each variant at each level, with names, targets and levels', () => {
    const { cells } = expandSeries(documentWith({ variants, levels: { connections: [1, 50] } }));
    expect(cells.map(({ name }) => name)).toEqual([
      'node · 1 connection',
      'node · 50 connections',
      'gunicorn · 1 connection',
      'gunicorn · 50 connections',
    ]);
    expect(cells.map(({ plan }) => plan.targets[0]?.url.at(-2))).toEqual(['1', '1', '2', '2']);
    expect(cells.map(({ plan }) => plan.load.stages[0])).toMatchObject([1, 50, 1, 50].map((connections) => ({ connections })));
    expect(cells.map(({ plan }) => plan.name)).toContain('A test · gunicorn · 50 connections');
  });

  it('makes a matrix of two fields, where the first changes slowest, and explains impossible cells', () => {
    const { cells } = expandSeries(documentWith({ levels: { requests: [10, 1_000], connections: [1, 100] } }));
    expect(cells.map(({ name, problem }) => [name, problem === null])).toEqual([
      ['1 connection, 10 requests', true],
      ['1 connection, 1,000 requests', true],
      ['100 connections, 10 requests', false],
      ['100 connections, 1,000 requests', true],
    ]);
    expect(cells[3]?.plan.load.stages).toEqual([{ connections: 100, requests: 1_000, counted: true }]);
  });

  it('uses the load generators of the variant, or else of the series', () => {
    const [first, second] = variants;
    const onOne = documentWith({
      variants: [
        { ...first, name: 'a', on: ['sp1', 'here'] },
        { ...second, name: 'b' },
      ],
      on: ['sp4'],
    });
    expect(expandSeries(onOne).cells.map(({ on }) => on)).toEqual([['sp1', 'here'], ['sp4']]);
    expect(expandSeries(documentWith({ variants })).cells.map(({ on }) => on)).toEqual([null, null]);
    const twice = documentWith({ variants, on: ['sp4', 'SP4'] });
    expect(checkSeries(twice)).toMatchObject([{ code: 'PLACE_TWICE', path: 'series.on', level: 'error' }]);
  });

  it('keeps the warm-up', () => {
    const load = stages({ connections: 3, seconds: 5, counted: false }, { connections: 10, seconds: 60 });
    const { cells } = expandSeries(documentWith({ levels: { connections: [7], seconds: [30] } }, { load }));
    expect(cells[0]?.plan.load.stages).toMatchObject([
      { connections: 3, seconds: 5 },
      { connections: 7, seconds: 30 },
    ]);
  });

  it('supports the levels of every load model', () => {
    const stagesOf = (load: Parameters<typeof documentWith>[1], levels: object) =>
      expandSeries(documentWith({ levels }, load)).cells.map(({ plan, problem }) => problem ?? plan.load.stages[0]);
    expect(stagesOf({ load: users([{ users: 1, seconds: 5 }]) }, { users: [9] })).toMatchObject([{ users: 9 }]);
    const constant = arrivals([{ kind: 'constant', perSecond: 5, seconds: 5 }]);
    expect(stagesOf({ load: constant }, { perSecond: [0.5], seconds: [9] })).toMatchObject([{ perSecond: 0.5, seconds: 9 }]);
    expect(stagesOf({ load: constant }, { users: [9] })).toEqual(['No counted stage of the load has such a number.']);
  });

  it('runs all cells with one engine that supports all of them, and says why', () => {
    const plain = expandSeries(documentWith({ variants }));
    expect(plain.engine).toMatchObject({ name: 'autocannon' });
    const mixed = expandSeries(documentWith({ variants: [...variants, { name: 'secure', targets: [{ url: 'https://127.0.0.1:3/' }] }] }));
    expect(mixed.engine).toEqual({
      name: 'native',
      reason: 'The native engine runs every cell: for “secure”, autocannon does not verify certificates.',
    });
    expect(new Set(mixed.cells.map(({ plan }) => plan.engine))).toEqual(new Set(['native']));
  });
});

describe('checkSeries', () => {
  it.each([
    ['two variants of one name', { variants: [variants[0], variants[0]] }, 'error DUPLICATE_VARIANT'],
    ['three fields', { levels: { connections: [1], requests: [1], seconds: [1] } }, 'error TOO_MANY_LEVELS'],
    ['two ends', { levels: { requests: [1], seconds: [1] } }, 'error TWO_ENDS'],
    ['a value twice', { levels: { connections: [1, 1] } }, 'error DUPLICATE_LEVEL'],
    ['half a connection', { levels: { connections: [1.5] } }, 'error NOT_WHOLE'],
    ['one cell', {}, 'error ONE_CELL'],
    ['too many runs', { levels: { connections: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] }, repeats: 50 }, 'error TOO_MANY_CELLS'],
    ['no possible cell', { levels: { perSecond: [1, 2] } }, 'error CELL_IMPOSSIBLE'],
    ['some impossible cells', { levels: { connections: [1, 20_001] } }, 'warning CELL_IMPOSSIBLE'],
  ])('reports %s', (_, series, expected) => {
    const found = checkSeries(documentWith(seriesSchema.parse(series))).map(({ level, code }) => `${level} ${code}`);
    expect(found).toContain(expected);
  });
});

describe('listTurns', () => {
  const names = (count: number) => Array.from({ length: count }, (_, index) => ({ name: `v${index}` }));

  it('begins each repeat with another variant', () => {
    const order = listTurns(seriesSchema.parse({ variants: names(3), repeats: 3 }));
    expect(order.map(({ cell }) => cell)).toEqual([0, 1, 2, 1, 2, 0, 2, 0, 1]);
    expect(order.map(({ repeat }) => repeat)).toEqual([1, 1, 1, 2, 2, 2, 3, 3, 3]);
  });

  it('follows the table if it is not interleaved', () => {
    const order = listTurns(seriesSchema.parse({ variants: names(2), levels: { connections: [1, 2] }, repeats: 2, interleaved: false }));
    expect(order.map(({ cell }) => cell)).toEqual([0, 0, 1, 1, 2, 2, 3, 3]);
  });

  it('runs every cell once per repeat, where interleaved variants alternate at every position', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 6 }),
        fc.boolean(),
        (v, l, r, mix) => {
          const connections = Array.from({ length: l }, (_, index) => index + 1);
          const order = listTurns(seriesSchema.parse({ variants: names(v), levels: { connections }, repeats: r, interleaved: mix }));
          const seen = order.map(({ cell, repeat }) => `${cell} ${repeat}`);
          expect(new Set(seen).size).toBe(v * l * r);
          expect(seen.length).toBe(v * l * r);
          if (!mix || r < v) return;
          const beginners = Array.from({ length: v }, (_, repeat) => Math.floor((order[repeat * v * l]?.cell ?? 0) / l));
          expect(new Set(beginners).size).toBe(v);
        },
      ),
    );
  });
});
