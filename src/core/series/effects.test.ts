import { describe, expect, it } from 'vitest';
import { normalNumbers } from '../comparison/testing/simulated.ts';
import { buildSeriesResult } from './buildSeriesResult.ts';
import { listEffects } from './effects.ts';
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

/** Returns a series over cores and memory, where memory doubles the rate and cores have no effect. */
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

describe('listEffects', () => {
  it('finds the factor with an effect, regardless of the others', () => {
    const [cores, memory, ...others] = listEffects(rowsOf(3, ALL));
    expect(others).toEqual([]);
    expect(cores).toMatchObject({
      factor: 'cores',
      reference: '1',
      value: '2',
      throughput: { judgement: 'withinNoise' },
      p95: { judgement: 'withinNoise' },
    });
    expect(cores?.text).toMatch(
      /^cores 2 instead of 1: no effect beyond run-to-run noise \((\d\.?\d* % (more|fewer)|as many) successful responses a second, p95 (\d\.?\d* % (lower|higher)|equal)\)\.$/,
    );
    expect(memory?.throughput?.ratio).toBeCloseTo(2, 1);
    expect(memory).toMatchObject({ throughput: { judgement: 'differs' }, p95: { judgement: 'differs' } });
    expect(memory?.text).toMatch(
      /^memory 4 GB instead of 1 GB: (1\.9\d*|2|2\.\d+) times as many successful responses a second, p95 (49|50|51)(\.\d)? % lower; more than run-to-run noise\.$/,
    );
  });

  it('needs five runs of each value', () => {
    expect(listEffects(rowsOf(2, ALL)).map(({ throughput }) => throughput?.judgement)).toEqual(['tooFew', 'tooFew']);
  });

  it('does not attribute an effect to a factor that changes with another one', () => {
    const [cores, memory] = listEffects(rowsOf(5, [ALL[0], ALL[3]]));
    expect([cores?.throughput, memory?.throughput]).toEqual([null, null]);
    expect(memory?.text).toBe('memory 4 GB instead of 1 GB: unknown, because no two measured cells differ in that alone.');
  });

  /** Returns the effects for runs of variants with the given rates, five each. */
  function effectsWith(variants: readonly { name: string; factors: Record<string, number | string>; rate: number }[]) {
    const runs = variants.flatMap(({ name, rate }) =>
      [0.98, 0.99, 1, 1.01, 1.02].map((noise, repeat) => {
        const okPerSecond = rate * noise;
        const times = rate === 0 ? { p50: null, p95: null, p99: null } : { p95: 1_000 / okPerSecond };
        return cellRun(name, repeat + 1, { figures: figuresWith({ okPerSecond, ...times }) });
      }),
    );
    return listEffects(
      buildSeriesResult(head, documentWith({ variants: variants.map(({ name, factors }) => ({ name, factors })), repeats: 5 }), runs).rows,
    );
  }

  it('reports no effect if variants with the same factors differ in something unnamed', () => {
    const [processes, ...others] = effectsWith([
      { name: 'node', factors: { processes: 1 }, rate: 300 },
      { name: 'gunicorn', factors: { processes: 1 }, rate: 30 },
      { name: 'node × 3', factors: { processes: 3 }, rate: 300 },
    ]);
    expect(others).toEqual([]);
    expect(processes).toMatchObject({ throughput: null, p95: null });
    expect(processes?.text).toBe(
      'processes 3 instead of 1: unknown, because “node” and “gunicorn” have the same factors although they differ. Name what differs as a factor of its own.',
    );
  });

  it('reports the effect if a factor names the difference between the variants', () => {
    const effects = effectsWith([
      { name: 'node', factors: { server: 'node', processes: 1 }, rate: 300 },
      { name: 'gunicorn', factors: { server: 'gunicorn', processes: 1 }, rate: 30 },
      { name: 'node × 3', factors: { server: 'node', processes: 3 }, rate: 300 },
    ]);
    expect(effects.map(({ factor, throughput }) => [factor, throughput?.judgement, throughput?.ratio])).toEqual([
      ['server', 'differs', expect.closeTo(0.1, 5)],
      ['processes', 'withinNoise', expect.closeTo(1, 5)],
    ]);
  });

  it('counts runs without a successful response, but compares no p95 with them', () => {
    const [toNothing] = effectsWith([
      { name: 'small', factors: { memory: 1 }, rate: 100 },
      { name: 'none', factors: { memory: 0 }, rate: 0 },
    ]);
    expect(toNothing).toMatchObject({ throughput: { ratio: 0, judgement: 'differs' }, p95: null });
    expect(toNothing?.text).toBe('memory 0 instead of 1: no successful responses; more than run-to-run noise.');
    const [fromNothing] = effectsWith([
      { name: 'none', factors: { memory: 0 }, rate: 0 },
      { name: 'small', factors: { memory: 1 }, rate: 100 },
    ]);
    expect(fromNothing).toMatchObject({ throughput: { ratio: null, judgement: 'differs' }, p95: null });
    expect(fromNothing?.text).toBe('memory 1 instead of 0: successful responses instead of none; more than run-to-run noise.');
  });

  it('returns nothing for a series without factors', () => {
    expect(listEffects(rowsOf(1, []))).toEqual([]);
  });
});
