import { describe, expect, it } from 'vitest';
import { computeApdex, rateApdex } from './latency.ts';
import { type Dip, findDip, type LevelRate } from './dip.ts';
import { createHistogram, record } from './histogram.ts';

const at = (level: number, perSecond: number, responses = 200): LevelRate => ({ name: `${level} users`, level, responses, perSecond });
const levels = (dip: Dip | null) => dip && [dip.lighter.level, dip.between.level, dip.heavier.level];

describe('findDip', () => {
  it('requires less than 75 % of the throughput of a lighter and a heavier level', () => {
    expect(levels(findDip([at(1, 100), at(2, 74.9), at(4, 100)]))).toEqual([1, 2, 4]);
    expect(findDip([at(1, 100), at(2, 75), at(4, 100)])).toBeNull();
    expect(findDip([at(1, 90), at(2, 70), at(4, 100)])).toBeNull();
    expect(findDip([at(1, 100), at(2, 70), at(4, 90)])).toBeNull();
  });

  it('compares with the best level on either side and returns the deepest dip, in any order of levels', () => {
    const found = findDip([at(8, 90), at(4, 40), at(2, 100), at(3, 50), at(1, 80), at(16, 95)]);
    expect(levels(found)).toEqual([2, 4, 16]);
  });

  it('ignores a server that only slows down, equal levels and levels with few responses', () => {
    expect(findDip([at(1, 100), at(2, 50), at(4, 30)])).toBeNull();
    expect(findDip([at(1, 100), at(2, 50), at(2, 100)])).toBeNull();
    expect(findDip([at(1, 100), at(1, 50), at(2, 100)])).toBeNull();
    expect(findDip([at(1, 100), at(2, 50, 199), at(4, 100)])).toBeNull();
    expect(findDip([at(1, 100), at(2, 0), at(4, 100)])).toBeNull();
  });
});

describe('Apdex:', () => {
  function good(...ms: number[]) {
    const histogram = createHistogram();
    for (const time of ms) record(histogram, 1_000 * time);
    return histogram;
  }

  it('computeApdex counts tolerating requests as half and frustrated or failed ones as 0', () => {
    // In the example of the specification, 60 satisfied, 30 tolerating and 10 frustrated of 100 give 0.75.
    const times = [...Array.from({ length: 6 }, () => 90), ...Array.from({ length: 3 }, () => 300), 900];
    expect(computeApdex(good(...times), 0, 100)).toBeCloseTo(0.75, 12);
    expect(computeApdex(good(...times.slice(0, 9)), 1, 100)).toBeCloseTo(0.75, 12);
    expect(computeApdex(undefined, 5, 100)).toBe(0);
    expect([computeApdex(undefined, 0, 100), computeApdex(good(), 0, 100)]).toEqual([null, null]);
  });

  it('rateApdex returns the ratings of the specification', () => {
    expect([0.49, 0.5, 0.69, 0.7, 0.84, 0.85, 0.93, 0.94].map(rateApdex)).toEqual([
      'Unacceptable',
      'Poor',
      'Poor',
      'Fair',
      'Fair',
      'Good',
      'Good',
      'Excellent',
    ]);
  });
});
