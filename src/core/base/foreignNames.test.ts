import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addName, addNames, mergeNames, MAX_NAMES, OTHERS, truncateName } from './foreignNames.ts';
import type { Counts } from './lists.ts';

const sumOf = (counts: Counts): number => Object.values(counts).reduce((sum, count) => sum + count, 0);
const many = (from: number, to: number, count = 1): Counts =>
  Object.fromEntries(Array.from({ length: to - from }, (_, index) => [`name ${from + index}`, count]));
const names = fc.array(
  fc.tuple(fc.oneof(fc.nat(600).map(String), fc.constantFrom('__proto__', 'constructor', OTHERS)), fc.integer({ min: 1, max: 9 })),
);

describe('records keyed by names from responses', () => {
  it('are limited without losing counts, in any order of counting and merging', () => {
    fc.assert(
      fc.property(fc.array(names, { maxLength: 8 }), (parts) => {
        const cells = parts.map((counted) => {
          const cell: Counts = {};
          for (const [name, count] of counted) addName(cell, name, count);
          return cell;
        });
        const merged: Counts = {};
        for (const cell of cells) mergeNames(merged, cell);
        const total = parts.flat().reduce((sum, [, count]) => sum + count, 0);
        for (const counts of [merged, addNames(cells), addNames(cells.toReversed()), addNames(cells, 20)])
          expect(sumOf(counts)).toBe(total);
        for (const counts of [merged, ...cells]) expect(Object.keys(counts).length).toBeLessThanOrEqual(MAX_NAMES + 1);
        expect(Object.keys(addNames(cells, 20)).length).toBeLessThanOrEqual(21);
      }),
    );
  });

  it('keep the first names in a cell, and the most frequent ones in a merge', () => {
    const cell: Counts = {};
    for (let index = 0; index < 300; index++) addName(cell, `name ${index}`);
    expect(cell).toEqual({ ...many(0, MAX_NAMES), [OTHERS]: 100 });
    const sum: Counts = { ...many(1_000, 1_000 + MAX_NAMES, 2), rare: 1 };
    mergeNames(sum, { frequent: 10, ...cell });
    expect(sum['frequent']).toBe(10);
    expect(sum['rare']).toBeUndefined();
    expect(Object.keys(sum)).toHaveLength(MAX_NAMES + 1);
    expect(sum[OTHERS]).toBe(1 + 300 + 2);
  });

  it.each([
    ['shard-1', 'shard-1'],
    ['\u001b[2Jshard\u202e\u2028-1\u0000', '[2Jshard-1'],
    ['x'.repeat(100), `${'x'.repeat(19)}…`],
    [`${'\u0000'.repeat(30)}shard`, 'shard'],
    ['\ud800', '�'],
    ['__proto__', '(__proto__)'],
    ['constructor', 'constructor'],
  ])('show the name %j as %j', (text, name) => expect(truncateName(text, 20)).toBe(name));
});
