import { describe, expect, it } from 'vitest';
import { SampleTime } from './sampleTime.ts';

describe('times of k6', () => {
  const second = Date.parse('2026-03-01T12:00:07Z') * 1_000;

  it.each([
    ['2026-03-01T12:00:07Z', second],
    ['2026-03-01T12:00:07.5Z', second + 500_000],
    ['2026-03-01T12:00:07.000001Z', second + 1],
    ['2026-03-01T12:00:07.123456789Z', second + 123_456],
    ['2026-03-01T14:00:07.25+02:00', second + 250_000],
    ['2026-03-01T06:30:07.25-05:30', second + 250_000],
  ])('%s', (text, expected) => {
    const time = new SampleTime();
    expect(time.read(text)).toBe(expected);
    expect(time.read(text)).toBe(expected);
  });

  it('tells one zone from another in the same second', () => {
    const time = new SampleTime();
    expect(time.read('2026-03-01T12:00:07Z')).toBe(second);
    expect(time.read('2026-03-01T12:00:07+01:00')).toBe(second - 3_600_000_000);
  });

  it.each(['', 'now', '2026-03-01 12:00:07Z', '2026-13-01T12:00:07Z', '2026-03-01T12:00:07'])('%o is no time', (text) => {
    expect(new SampleTime().read(text)).toBeNull();
  });
});
