import { describe, expect, it } from 'vitest';
import { listDifferences } from './differences.ts';
import { WHOLE_RUN } from './comparedRun.ts';
import type { Figure } from './schema.ts';

const p95 = (value: number | null): Figure[] => [{ scope: WHOLE_RUN, measure: 'p95', value }];

describe('listDifferences', () => {
  it('shows the figures of few runs without a claim', () => {
    const [one] = listDifferences({ first: [p95(100), p95(102)], second: [p95(200), p95(210)], isRefused: false });
    expect(one).toMatchObject({ judgement: 'tooFew', from: { median: 101 }, to: { median: 205 }, interval: null, direction: 'worse' });
    expect(one?.change).toBeCloseTo(Math.sqrt((200 * 210) / (100 * 102)) - 1, 9);
  });

  it('judges a figure as unknown if a run lacks it', () => {
    const [one] = listDifferences({ first: [p95(100)], second: [p95(null)], isRefused: false });
    expect(one).toMatchObject({ judgement: 'notKnown', to: null, change: null, direction: null });
  });

  it('judges each figure that all runs have, regardless of missing others', () => {
    const runs = (...values: number[]) =>
      values.map((value, run): Figure[] => [...p95(value), { scope: WHOLE_RUN, measure: 'p99', value: run === 2 ? null : value }]);
    const found = listDifferences({ first: runs(1, 2, 3, 4, 5), second: runs(11, 12, 13, 14, 15), isRefused: false });
    expect(found[0]).toMatchObject({ measure: 'p95', judgement: 'differs' });
    expect(found[1]).toEqual({
      scope: WHOLE_RUN,
      measure: 'p99',
      from: null,
      to: null,
      scale: 'ratio',
      change: null,
      interval: null,
      judgement: 'notKnown',
      direction: null,
    });
    expect(listDifferences({ first: [p95(100)], second: [], isRefused: false })[0]).toMatchObject({ to: null, judgement: 'notKnown' });
  });

  it('compares shares by difference, because a ratio to 0 is undefined', () => {
    const failed = (value: number): Figure[] => [{ scope: WHOLE_RUN, measure: 'failedShare', value }];
    const [one] = listDifferences({
      first: [0, 0, 0, 0, 0].map(failed),
      second: [0.01, 0.012, 0.009, 0.011, 0.01].map(failed),
      isRefused: false,
    });
    expect(one).toMatchObject({ scale: 'difference', judgement: 'differs', direction: 'worse' });
    expect(one?.change).toBeCloseTo(0.0104, 9);
  });

  it('treats higher throughput as better, unlike times', () => {
    const rate = (value: number): Figure[] => [{ scope: WHOLE_RUN, measure: 'goodPerSecond', value }];
    const [one] = listDifferences({
      first: [100, 101, 99, 100, 102].map(rate),
      second: [120, 121, 119, 122, 120].map(rate),
      isRefused: false,
    });
    expect(one).toMatchObject({ judgement: 'differs', direction: 'better' });
  });

  it('claims nothing if refused', () => {
    const [one] = listDifferences({ first: [1, 2, 3, 4, 5].map(p95), second: [11, 12, 13, 14, 15].map(p95), isRefused: true });
    expect(one).toMatchObject({ judgement: 'refused', interval: null });
  });
});
