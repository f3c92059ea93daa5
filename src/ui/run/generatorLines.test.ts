import { describe, expect, it } from 'vitest';
import type { GeneratorPoint } from '#core/result/schema.ts';
import { variantLook } from '#core/presentation/charts/looks.ts';
import { generatorData } from './generatorLines.ts';

const point = (second: number, completed: number): GeneratorPoint => ({
  second,
  width: 1,
  completed,
  bytesReceived: 0,
  p50: null,
  p90: null,
});

describe('lines of load generators', () => {
  it('cover the seconds of all load generators, with gaps where a generator has no points', () => {
    const lines = [
      { name: 'a', points: [point(0, 1), point(1, 2)] },
      { name: 'b', points: [point(1, 3), point(2, 4)] },
    ];
    const { spans, series } = generatorData(lines, ({ completed }) => completed, variantLook);
    expect(spans.map(({ second }) => second)).toEqual([0, 1, 2]);
    expect(series.map(({ name, values }) => [name, values])).toEqual([
      ['a', [1, 2, null]],
      ['b', [null, 3, 4]],
    ]);
  });
});
