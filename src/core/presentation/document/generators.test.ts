import { describe, expect, it } from 'vitest';
import { liveRows } from './generators.ts';

describe('rows of places that go', () => {
  const figures = {
    sent: 10,
    answered: 9,
    ok: 9,
    completedPerSecond: 5,
    bytesPerSecond: 100,
    p50: 20,
    p90: 30,
    sickSeconds: 0,
    isSick: false,
  };

  it('are told from the first second on, and without a rate from a place that is lost', () => {
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

  it('are none where one place makes all of the load', () => {
    expect(liveRows([{ name: 'a', lost: null, figures: null }])).toEqual([]);
  });
});
