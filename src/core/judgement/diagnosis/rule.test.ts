import { describe, expect, it } from 'vitest';
import { planWith } from '#core/testing/plans.ts';
import {
  listDifferentOnPurpose,
  failedShare,
  formatFirst,
  pointsBetween,
  rangeOf,
  rangeOfSpans,
  ruleOf,
  overloadedShare,
  watchedReadings,
} from './rule.ts';
import { generatorThatReads, point } from './testing/facts.ts';

const span = (fromSecond: number, toSecond: number) => ({ fromSecond, toSecond });

describe('rangeOfSpans', () => {
  it('spans the first to the last second, with the separate spans', () => {
    expect(rangeOfSpans([])).toBeNull();
    expect(rangeOfSpans([span(2, 3), span(3, 5)])).toEqual(span(2, 5));
    expect(rangeOfSpans([span(2, 4), span(3, 3.5), span(8, 9)])).toEqual({ ...span(2, 9), spans: [span(2, 4), span(8, 9)] });
    expect(rangeOfSpans([span(0, 0.1 + 0.2), span(0.3, 1)])).toEqual(span(0, 1));
    expect(rangeOf([point(4), point(5, { width: 2 })])).toEqual(span(4, 7));
  });

  it('joins the closest spans if there are more than sixty', () => {
    const every = (count: number) => Array.from({ length: count }, (_, index) => span(10 * index, 10 * index + (index === 3 ? 8 : 1)));
    expect(rangeOfSpans(every(60))?.spans).toHaveLength(60);
    const joined = rangeOfSpans([...every(60), span(700, 701)])?.spans;
    expect(joined?.length).toBeLessThanOrEqual(60);
    expect(joined?.at(-1)).toEqual(span(700, 701));
  });
});

describe('inputs of rules:', () => {
  it('pointsBetween returns points completely between two seconds', () => {
    const windows = [0, 1, 2, 3].map((second) => point(second));
    expect(pointsBetween({ windows }, 1, 3).map(({ second }) => second)).toEqual([1, 2]);
    expect(pointsBetween({ windows }, 0.5, 2.5).map(({ second }) => second)).toEqual([1]);
    expect([pointsBetween({ windows }, null, 3), pointsBetween({ windows }, 1, null)]).toEqual([[], []]);
  });

  it('failedShare and overloadedShare return shares', () => {
    expect([failedShare([point(0, { ok: 60, failed: 20 }), point(1, { ok: 0, failed: 20 })]), failedShare([])]).toEqual([0.4, 0]);
    expect(overloadedShare({ windows: [point(0, { width: 3 }), point(3, { overloadedBy: ['steal'] })] })).toBe(0.25);
    expect(overloadedShare({ windows: [] })).toBe(0);
  });

  it('watchedReadings uses the machine with the most readings', () => {
    const generators = [generatorThatReads([{ jobs: 1 }]), generatorThatReads([{ jobs: 5 }, {}, { jobs: 7 }])];
    expect(watchedReadings(generators, 'jobs')).toEqual([
      { second: 0, value: 5 },
      { second: 2, value: 7 },
    ]);
    expect(watchedReadings(generators, 'other')).toEqual([]);
    expect(watchedReadings([], 'jobs')).toEqual([]);
  });

  it('listDifferentOnPurpose lists steps whose requests differ each time', () => {
    const plan = planWith({ journey: [{ name: 'a' }, { name: 'b', path: 'tasks/{{task}}' }] });
    expect([...listDifferentOnPurpose(plan)]).toEqual(['b', 'b › redirects']);
  });

  it('ruleOf returns the part before the full stop; formatFirst returns a text that follows a comma', () => {
    expect([ruleOf({ id: 'slowTail' }), ruleOf({ id: 'unexpectedStatus.404' })]).toEqual(['slowTail', 'unexpectedStatus']);
    expect([formatFirst(undefined), formatFirst(point(12))]).toEqual(['', ', first in second 12']);
  });
});
