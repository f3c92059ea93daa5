import { describe, expect, it } from 'vitest';
import { LoadedCounts } from './loadedCounts.ts';

function respondedBy(counts: LoadedCounts, instantsUs: readonly number[]): Record<string, number> {
  for (const atUs of instantsUs) {
    const count = counts.at(0, atUs);
    if (count !== null) count.responded += 1;
  }
  return Object.fromEntries(counts.take().map(({ stage, responded }) => [stage, responded]));
}

describe('LoadedCounts', () => {
  it('splits counts exactly at stage changes, even within a second', () => {
    const counts = new LoadedCounts();
    counts.plan([
      { stage: null, fromUs: 0 },
      { stage: 3, fromUs: 700_000 },
      { stage: 4, fromUs: 1_300_000 },
    ]);
    expect(respondedBy(counts, [100_000, 699_999, 700_000, 1_299_999.5, 1_300_000, 1_300_001, 1_900_000])).toEqual({ 3: 2, 4: 3 });
    expect(respondedBy(counts, [2_000_000])).toEqual({ 4: 1 });
  });

  it('counts nothing during the drain or between stages', () => {
    const counts = new LoadedCounts();
    counts.plan([
      { stage: 0, fromUs: 0 },
      { stage: null, fromUs: 1_000 },
      { stage: 1, fromUs: 2_000 },
    ]);
    expect(respondedBy(counts, [500, 1_000, 1_999])).toEqual({ 0: 1 });
    counts.plan([]);
    expect(respondedBy(counts, [2_500])).toEqual({});
    expect(counts.take()).toEqual([]);
  });

  it('skips stages that ended without events', () => {
    const counts = new LoadedCounts();
    counts.plan([0, 1, 2].map((stage) => ({ stage, fromUs: stage * 1_000 })));
    expect(respondedBy(counts, [2_500])).toEqual({ 2: 1 });
  });
});
