import { describe, expect, it } from 'vitest';
import { point } from '#core/judgement/diagnosis/testing/facts.ts';
import { endingAt, ratePoints } from './pointSeries.ts';

const points = [point(0), point(1), point(2)];

describe('endingAt', () => {
  it('lets the last point end with the run and not with its second', () => {
    expect(endingAt(points, 2.25).map(({ width }) => width)).toEqual([1, 1, 0.25]);
  });

  it('leaves whole seconds, later ends and impossible ends alone', () => {
    for (const end of [3, 7, 2, 1]) expect(endingAt(points, end)).toEqual(points);
    expect(endingAt([], 3)).toEqual([]);
  });
});

describe('ratePoints', () => {
  it('leaves out a last point that covers only a moment, unless it is the only one', () => {
    const moment = point(2, { width: 0.25 });
    expect(ratePoints([point(0), moment])).toEqual([point(0)]);
    expect(ratePoints([moment])).toEqual([moment]);
    expect(ratePoints([point(0), point(1, { width: 0.75 })])).toHaveLength(2);
  });
});
