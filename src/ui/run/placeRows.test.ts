import { describe, expect, it } from 'vitest';
import type { PlacePoint } from '#core/result/schema.ts';
import { variantLook } from '#core/presentation/charts/looks.ts';
import { liveRows, placeData } from './placeRows.ts';

const point = (second: number, completed: number): PlacePoint => ({ second, width: 1, completed, bytesReceived: 0, p50: null, p90: null });

describe('lines of places', () => {
  it('lie on the seconds of all of them, with gaps where a place was not there', () => {
    const lines = [
      { name: 'a', points: [point(0, 1), point(1, 2)] },
      { name: 'b', points: [point(1, 3), point(2, 4)] },
    ];
    const { spans, series } = placeData(lines, ({ completed }) => completed, variantLook);
    expect(spans.map(({ second }) => second)).toEqual([0, 1, 2]);
    expect(series.map(({ name, values }) => [name, values])).toEqual([
      ['a', [1, 2, null]],
      ['b', [null, 3, 4]],
    ]);
  });
});

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
