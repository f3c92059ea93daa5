import { expect, it } from 'vitest';
import { cacheBlocks, inOneUnit } from './special.ts';

it('names the unit of several times once where they share it', () => {
  expect(inOneUnit(['64 ms', '81.1 ms', '49.9 ms'])).toBe('64, 81.1, 49.9 ms');
  expect(inOneUnit(['980 ms', '1.2 s'])).toBe('980 ms, 1.2 s');
  expect(inOneUnit(['64 ms'])).toBe('64 ms');
  expect(inOneUnit([])).toBe('');
});

it('says of responses that report no cache only that, without a table of zeros', () => {
  const figures = (unsaid: number) => ({
    answered: 100,
    fromCache: 100 - unsaid,
    fromServer: 0,
    unsaid,
    fromCacheMs: unsaid === 100 ? null : 1,
    fromServerMs: null,
  });
  const kinds = (unsaid: number) =>
    cacheBlocks({ cache: { all: figures(unsaid), counted: figures(unsaid), steps: [] } }).map(({ kind }) => kind);
  expect(kinds(100)).toEqual(['text']);
  expect(kinds(40)).toEqual(['text', 'table']);
});
