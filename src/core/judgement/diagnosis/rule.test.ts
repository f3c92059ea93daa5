import { describe, expect, it } from 'vitest';
import { planWith } from '#core/testing/plans.ts';
import {
  differentOnPurpose,
  failedShare,
  firstInWords,
  pointsBetween,
  rangeOf,
  rangeOfSpans,
  ruleOf,
  sickShare,
  watchedReadings,
} from './rule.ts';
import { generatorThatReads, point } from './testing/facts.ts';

const span = (fromSecond: number, toSecond: number) => ({ fromSecond, toSecond });

describe('the range of a finding', () => {
  it('is from the first second to the last, with the stretches between which nothing was', () => {
    expect(rangeOfSpans([])).toBeNull();
    expect(rangeOfSpans([span(2, 3), span(3, 5)])).toEqual(span(2, 5));
    expect(rangeOfSpans([span(2, 4), span(3, 3.5), span(8, 9)])).toEqual({ ...span(2, 9), spans: [span(2, 4), span(8, 9)] });
    expect(rangeOfSpans([span(0, 0.1 + 0.2), span(0.3, 1)])).toEqual(span(0, 1));
    expect(rangeOf([point(4), point(5, { width: 2 })])).toEqual(span(4, 7));
  });

  it('joins those that lie closest where there are more than sixty', () => {
    const every = (count: number) => Array.from({ length: count }, (_, index) => span(10 * index, 10 * index + (index === 3 ? 8 : 1)));
    expect(rangeOfSpans(every(60))?.spans).toHaveLength(60);
    const joined = rangeOfSpans([...every(60), span(700, 701)])?.spans;
    expect(joined?.length).toBeLessThanOrEqual(60);
    expect(joined?.at(-1)).toEqual(span(700, 701));
  });
});

describe('what rules look at', () => {
  it('are points that lie wholly between two seconds', () => {
    const windows = [0, 1, 2, 3].map((second) => point(second));
    expect(pointsBetween({ windows }, 1, 3).map(({ second }) => second)).toEqual([1, 2]);
    expect(pointsBetween({ windows }, 0.5, 2.5).map(({ second }) => second)).toEqual([1]);
    expect([pointsBetween({ windows }, null, 3), pointsBetween({ windows }, 1, null)]).toEqual([[], []]);
  });

  it('are failures and sick seconds as shares', () => {
    expect([failedShare([point(0, { ok: 60, failed: 20 }), point(1, { ok: 0, failed: 20 })]), failedShare([])]).toEqual([0.4, 0]);
    expect(sickShare({ windows: [point(0, { width: 3 }), point(3, { sick: ['steal'] })] })).toBe(0.25);
    expect(sickShare({ windows: [] })).toBe(0);
  });

  it('is what was read most often of a number', () => {
    const generators = [generatorThatReads([{ jobs: 1 }]), generatorThatReads([{ jobs: 5 }, {}, { jobs: 7 }])];
    expect(watchedReadings(generators, 'jobs')).toEqual([
      { second: 0, value: 5 },
      { second: 2, value: 7 },
    ]);
    expect(watchedReadings(generators, 'other')).toEqual([]);
    expect(watchedReadings([], 'jobs')).toEqual([]);
  });

  it('leaves out steps that ask for something else each time', () => {
    const plan = planWith({ journey: [{ name: 'a' }, { name: 'b', path: 'tasks/{{task}}' }] });
    expect([...differentOnPurpose(plan)]).toEqual(['b', 'b › redirects']);
  });

  it('has the rule before the full stop, and the second behind a comma', () => {
    expect([ruleOf({ id: 'slowTail' }), ruleOf({ id: 'unexpectedStatus.404' })]).toEqual(['slowTail', 'unexpectedStatus']);
    expect([firstInWords(undefined), firstInWords(point(12))]).toEqual(['', ', first in second 12']);
  });
});
