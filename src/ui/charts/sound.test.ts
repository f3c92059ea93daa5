import { describe, expect, it } from 'vitest';
import { SERIES } from '#core/presentation/charts/looks.ts';
import { playedLine, listTones } from './sound.ts';

describe('listTones', () => {
  it('maps values to two octaves and unknown values to silence', () => {
    expect(listTones([0, 50, null, 100]).map(({ frequencyHz }) => frequencyHz)).toEqual([220, 440, null, 880]);
  });

  it('plays the maximum of the values that share a tone, and takes four seconds for any run', () => {
    const tones = listTones(Array.from({ length: 6_400 }, (_, index) => (index === 3_210 ? 100 : 1)));
    expect(tones).toHaveLength(64);
    expect(tones.filter(({ frequencyHz }) => frequencyHz === 880)).toHaveLength(1);
    expect(tones.reduce((sum, { seconds }) => sum + seconds, 0)).toBeCloseTo(4);
  });

  it('returns no tones if there are no values', () => {
    expect(listTones([])).toEqual([]);
  });
});

describe('playedLine', () => {
  const series = (id: string, shape: 'line' | 'stacked' | 'dots', values: number[]) => ({
    id,
    name: id,
    label: id,
    look: SERIES.p99,
    shape,
    values,
  });
  const spans = [{ second: 0, width: 1 }];

  it('returns the first line, or the sum of all layers', () => {
    expect(playedLine({ spans, series: [series('max', 'dots', [9]), series('p99', 'line', [5])] }).name).toBe('p99');
    const layers = playedLine({ spans, series: [series('2xx', 'stacked', [5]), series('5xx', 'stacked', [2])] });
    expect(layers).toEqual({ name: '2xx, 5xx', values: [7] });
  });
});
