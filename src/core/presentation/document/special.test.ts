import { expect, it } from 'vitest';
import { stepSchema } from '#core/plan/schema/step.ts';
import { sampleResult } from '#core/result/testing/sampleResult.ts';
import { cacheBlocks, joinTimesOfOneUnit } from './special.ts';

it('joinTimesOfOneUnit: shows a common unit once', () => {
  expect(joinTimesOfOneUnit(['64 ms', '81.1 ms', '49.9 ms'])).toBe('64, 81.1, 49.9 ms');
  expect(joinTimesOfOneUnit(['980 ms', '1.2 s'])).toBe('980 ms, 1.2 s');
  expect(joinTimesOfOneUnit(['64 ms'])).toBe('64 ms');
  expect(joinTimesOfOneUnit([])).toBe('');
});

const { plan } = sampleResult();
const figures = (unsaid: number) => ({
  responded: 100,
  fromCache: 100 - unsaid,
  fromServer: 0,
  unsaid,
  fromCacheMs: unsaid === 100 ? null : 1,
  fromServerMs: null,
});

it('cacheBlocks has no table if no response reports a cache', () => {
  const kinds = (unsaid: number) =>
    cacheBlocks({ plan, cache: { all: figures(unsaid), counted: figures(unsaid), steps: [] } }).map(({ kind }) => kind);
  expect(kinds(100)).toEqual(['text']);
  expect(kinds(40)).toEqual(['text', 'table']);
});

it('cacheBlocks lists all pages, and the linked files with the fewest cached responses', () => {
  const names = Array.from({ length: 21 }, (_, page) => `page ${page}`);
  const journey = names.map((name) => stepSchema.parse({ name, resources: { kinds: ['image'] } }));
  const steps = [
    ...names.map((name) => ({ name, figures: figures(0) })),
    ...names.map((name, page) => ({ name: `${name} › images`, figures: figures(page) })),
  ];
  const [, found] = cacheBlocks({ plan: { ...plan, journey }, cache: { all: figures(1), counted: figures(1), steps } });
  const rows = found?.kind === 'table' ? found.rows.map(([name]) => name) : [];
  expect(rows).toEqual([...names, ...names.slice(11).map((name) => `${name} › images`), 'All']);
  expect(found?.kind === 'table' ? found.note : '').toContain('11 more are in the result as JSON.');
});
