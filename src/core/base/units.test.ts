import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  formatBytes,
  formatCount,
  formatMs,
  formatNumber,
  formatPart,
  formatPercent,
  formatPercentile,
  formatRate,
  formatSeconds,
  formatShare,
} from './units.ts';

describe('formatted numbers', () => {
  it('say “all” if a part is the whole', () => {
    expect([formatPart(0, 195), formatPart(12, 1_195), formatPart(1_195, 1_195), formatPart(1, 1), formatPart(0, 0)]).toEqual([
      '0 of 195',
      '12 of 1,195',
      'all 1,195',
      '1 of 1',
      '0 of 0',
    ]);
  });

  it('are exact for counts, and have three digits for measurements', () => {
    expect(formatCount(10_084)).toBe('10,084');
    expect([981.73, 41_234, 0.012_34, 7, 1_000].map(formatNumber)).toEqual(['982', '41,200', '0.0123', '7', '1,000']);
  });

  it('are in ms below a second, then in seconds, minutes and hours', () => {
    expect([0.5, 49, 999.4, 999.6, 1_500, 119_000, 125_000, 3_600_000].map(formatMs)).toEqual([
      '0.5 ms',
      '49 ms',
      '999 ms',
      '1 s',
      '1.5 s',
      '119 s',
      '2 min 5 s',
      '1 h',
    ]);
    expect([0.5, 90, 160, 5_400, 86_400].map(formatSeconds)).toEqual(['0.5 s', '90 s', '2 min 40 s', '1 h 30 min', '24 h']);
    expect([formatMs('never'), formatMs(null)]).toEqual(['never', 'unknown']);
  });

  it('use decimal units for bytes', () => {
    expect([0, 999, 6_844, 999_999, 1e6, 729_883_619, 5e12].map(formatBytes)).toEqual([
      '0 B',
      '999 B',
      '6.84 kB',
      '1 MB',
      '1 MB',
      '730 MB',
      '5 TB',
    ]);
  });

  it('give shares in percent, and never 100 % for less than all', () => {
    expect([0, 1 / 600, 0.0999, 0.1, 0.5, 1].map(formatShare)).toEqual(['0 %', '0.167 %', '9.99 %', '10 %', '50 %', '100 %']);
    expect([0.999, 0.99917, 342_889 / 342_891, 1 - 1e-6].map((share) => formatPercent(share))).toEqual([
      '99.9 %',
      '99.92 %',
      '99.9994 %',
      '99.9999 %',
    ]);
    fc.assert(
      fc.property(
        fc.double({ min: 0.5, max: 1, maxExcluded: true, noNaN: true }),
        (share) => share > 0.999_999 || formatPercent(share) !== '100 %',
      ),
    );
  });

  it('keep all digits of a percentile', () => {
    expect([50, 66, 95, 99.9, 99.99, 99.999, 99.9999].map(formatPercentile)).toEqual([
      '50 %',
      '66 %',
      '95 %',
      '99.9 %',
      '99.99 %',
      '99.999 %',
      '99.9999 %',
    ]);
  });

  it('are “unknown”, never 0, if unknown', () => {
    expect([formatCount, formatNumber, formatSeconds, formatBytes, formatShare, formatPercent].map((format) => format(null))).toEqual(
      Array.from({ length: 6 }, () => 'unknown'),
    );
    expect([formatRate(null), formatRate(212), formatRate(212, 'responses')]).toEqual(['unknown', '212/s', '212 responses/s']);
  });
});
