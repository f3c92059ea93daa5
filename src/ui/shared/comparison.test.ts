import { describe, expect, it } from 'vitest';
import { compareAddress, proposeSides, sidesOfAddress } from './comparison.ts';

const run = (id: string, name = 'page', target = 'http://a/') => ({
  id,
  name,
  target,
  startedAt: `2026-03-12T10:${id.padStart(2, '0')}:00.000Z`,
});

describe('the address of a comparison', () => {
  it('yields the same sides and aspect when it is read back', () => {
    const sides = [['1', '3'], ['2']];
    expect(compareAddress(sides)).toBe('/compare/1,3~2');
    expect(compareAddress(sides, 'host')).toBe('/compare/1,3~2/host');
    expect(sidesOfAddress('1,3~2')).toEqual(sides);
  });

  it('contains each run once, and no empty sides', () => {
    expect(sidesOfAddress('1,1,~~2,1~')).toEqual([['1'], ['2']]);
    expect(sidesOfAddress('')).toEqual([]);
    expect(compareAddress([['1'], [], ['2']])).toBe('/compare/1~2');
  });
});

describe('proposeSides', () => {
  it('groups runs by name and target, the earliest first', () => {
    expect(proposeSides([run('4', 'b'), run('2', 'a'), run('3', 'b'), run('1', 'a')], 8)).toEqual([
      ['1', '2'],
      ['3', '4'],
    ]);
    expect(proposeSides([run('1', 'a', 'http://a/'), run('2', 'a', 'http://b/')], 8)).toEqual([['1'], ['2']]);
  });

  it('groups runs of a series by cell, regardless of their names', () => {
    const cell = (id: string, name: string) => ({ ...run(id), series: { id: 's-1', cell: name } });
    expect(proposeSides([cell('1', 'x'), cell('2', 'y'), cell('3', 'x')], 8)).toEqual([['1', '3'], ['2']]);
  });

  it('splits runs of a single group by time', () => {
    expect(proposeSides([run('1'), run('2')], 8)).toEqual([['1'], ['2']]);
    expect(
      proposeSides(
        ['5', '1', '3', '2', '4'].map((id) => run(id)),
        8,
      ),
    ).toEqual([
      ['1', '2', '3'],
      ['4', '5'],
    ]);
  });

  it('proposes at most the maximum number of sides', () => {
    expect(
      proposeSides(
        ['1', '2', '3', '4', '5', '6'].map((id) => run(id, id)),
        2,
      ),
    ).toHaveLength(2);
  });
});
