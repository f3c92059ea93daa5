import { describe, expect, it } from 'vitest';
import { normalNumbers } from '../comparison/testing/simulated.ts';
import { buildSeriesResult } from './buildSeriesResult.ts';
import { effectsOf } from './effects.ts';
import type { SeriesRow } from './result.ts';
import { cellRun, documentWith, figuresWith } from './testing/series.ts';

const head = {
  id: 's-1',
  name: 'A test',
  startedAt: '2026-01-01T12:00:00.000Z',
  endedAt: '2026-01-01T12:10:00.000Z',
  state: 'finished',
  endedBecause: null,
} as const;

/** A series over cores and memory in which memory doubles the rate and cores change nothing. */
function rowsOf(repeats: number, cells: readonly (readonly [cores: number, memory: string])[]): readonly SeriesRow[] {
  const normal = normalNumbers(3);
  const variants = cells.map(([cores, memory]) => ({ name: `${cores} ${memory}`, factors: { cores, memory } }));
  const runs = variants.flatMap(({ name, factors }) =>
    Array.from({ length: repeats }, (_, repeat) => {
      const rate = (factors.memory === '4 GB' ? 200 : 100) * Math.exp(0.02 * normal());
      return cellRun(name, repeat + 1, { figures: figuresWith({ completedPerSecond: rate, okPerSecond: rate, p95: 1_000 / rate }) });
    }),
  );
  return buildSeriesResult(head, documentWith({ variants, repeats }), runs).rows;
}

const ALL = [
  [1, '1 GB'],
  [2, '1 GB'],
  [1, '4 GB'],
  [2, '4 GB'],
] as const;

describe('effectsOf', () => {
  it('says which factor mattered and which did not, whatever the others were', () => {
    const [cores, memory, ...others] = effectsOf(rowsOf(3, ALL));
    expect(others).toEqual([]);
    expect(cores).toMatchObject({
      factor: 'cores',
      reference: '1',
      value: '2',
      throughput: { judgement: 'withinNoise' },
      p95: { judgement: 'withinNoise' },
    });
    expect(cores?.text).toMatch(/^cores 2 instead of 1: it did not matter: successful responses a second (0\.9\d+|1|1\.0\d+) ×/);
    expect(memory?.throughput?.ratio).toBeCloseTo(2, 1);
    expect(memory).toMatchObject({ throughput: { judgement: 'differs' }, p95: { judgement: 'differs' } });
    expect(memory?.text).toMatch(
      /^memory 4 GB instead of 1 GB: it mattered: successful responses a second (1\.9\d*|2|2\.\d+) ×, p95 0\.\d+ ×\.$/,
    );
  });

  it('needs five runs of each value', () => {
    expect(effectsOf(rowsOf(2, ALL)).map(({ throughput }) => throughput?.judgement)).toEqual(['tooFew', 'tooFew']);
  });

  it('does not lay to one factor what another may have done', () => {
    const [cores, memory] = effectsOf(rowsOf(5, [ALL[0], ALL[3]]));
    expect([cores?.throughput, memory?.throughput]).toEqual([null, null]);
    expect(memory?.text).toBe('memory 4 GB instead of 1 GB: unknown, because no two measured cells differ in that alone.');
  });

  it('has nothing to tell of a series without factors', () => {
    expect(effectsOf(rowsOf(1, []))).toEqual([]);
  });
});
