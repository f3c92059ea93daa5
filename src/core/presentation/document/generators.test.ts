import { describe, expect, it } from 'vitest';
import { liveRows } from './generators.ts';

describe('liveRows', () => {
  const figures = {
    sent: 10,
    responded: 9,
    ok: 9,
    completedPerSecond: 5,
    bytesPerSecond: 100,
    p50: 20,
    p90: 30,
    overloadedSeconds: 0,
    isOverloaded: false,
  };

  it('returns a row for each load generator, without a rate for a lost one', () => {
    const lost = { second: 3, text: 'It was lost.' };
    expect(
      liveRows([
        { name: 'a', lost: null, figures },
        { name: 'b', lost, figures },
        { name: 'c', lost: null, figures: null },
      ]),
    ).toMatchObject([
      { name: 'a', completedPerSecond: 5 },
      { name: 'b', completedPerSecond: null, lost, sent: 10 },
      { name: 'c', sent: 0, p50: null },
    ]);
  });

  it('returns nothing for a single load generator', () => {
    expect(liveRows([{ name: 'a', lost: null, figures: null }])).toEqual([]);
  });
});
