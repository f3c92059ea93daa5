import { describe, expect, it } from 'vitest';
import { normalNumbers } from '../comparison/testing/simulated.ts';
import { parseAmount, listFits as fitsOfRows, machineFactors } from './fit.ts';
import { buildSeriesResult } from './buildSeriesResult.ts';
import type { Fit } from './result.ts';
import type { SeriesHead } from './result.ts';
import { cellRun, documentWith, figuresWith } from './testing/series.ts';

describe('parseAmount', () => {
  it('parses numbers, amounts of data and other units', () => {
    expect(parseAmount(4)).toEqual({ value: 4, unit: '' });
    expect(parseAmount('4 GB')).toEqual({ value: 4e9, unit: 'B' });
    expect(parseAmount('512MiB')).toEqual({ value: 2 ** 29, unit: 'B' });
    expect(parseAmount('100k')).toEqual({ value: 1e5, unit: '' });
    expect(parseAmount('1,000,000')).toEqual({ value: 1e6, unit: '' });
    expect(parseAmount('2.5 GHz')).toEqual({ value: 2.5, unit: 'GHz' });
  });

  it('returns null for names', () => {
    for (const value of ['on', 'r3.8xlarge', '', '3.2.1', '-4', true, undefined]) expect(parseAmount(value), String(value)).toBeNull();
  });
});

describe('machineFactors', () => {
  const rows = [{ factors: { Cores: 2, RAM: '4 GB', rows: 10, index: 'on' } }];

  it('recognizes usual names of machine properties', () => {
    expect(machineFactors(undefined, rows)).toEqual(['Cores', 'RAM']);
  });

  it("uses the series' own list", () => {
    expect(machineFactors(['rows'], rows)).toEqual(['rows']);
  });
});

const head: SeriesHead = {
  id: 's-1',
  name: 'Rows and bytes',
  startedAt: '2026-01-01T12:00:00.000Z',
  // Without an end, the slow conclusions of an ended series are skipped, which are not tested here.
  endedAt: null,
  state: 'running',
  endedBecause: null,
};

type Factors = Readonly<Record<string, string | number>>;
type Law = (rows: number, bytes: number) => number;

interface SimulatedSeries {
  readonly cells: readonly Factors[];
  readonly law: Law;
  readonly repeats?: number;
  /** Number of runs of a cell, if it differs from the others. */
  readonly listRepeats?: (factors: Factors) => number;
  readonly noise?: number;
  readonly seed?: number;
  readonly failedShare?: number;
}

function listFits({
  cells,
  law,
  repeats = 5,
  listRepeats = () => repeats,
  noise = 0.03,
  seed = 1,
  failedShare = 0,
}: SimulatedSeries): Fit[] {
  const normal = normalNumbers(seed);
  const variants = cells.map((factors, index) => ({ name: `cell ${index + 1}`, factors: { ...factors } }));
  const runs = variants.flatMap(({ name, factors }) =>
    Array.from({ length: listRepeats(factors) }, (_, repeat) => {
      const time = law(Number(factors['rows']), Number.parseFloat(String(factors['bytes'])) * 1_000);
      return cellRun(name, repeat + 1, { figures: figuresWith({ p50: time * Math.exp(noise * normal()), failedShare }) });
    }),
  );
  const document = documentWith({ variants, repeats });
  return fitsOfRows(buildSeriesResult(head, document, runs).rows, document.series);
}

const GRID = [1_000, 10_000, 100_000].flatMap((rows) => ['0.1 kB', '1 kB', '10 kB'].map((bytes) => ({ rows, bytes })));
/** A time of 12 ms for each 1,000 rows; bytes cost nothing. */
const ROWS_ONLY: Law = (rows) => 25 + 0.012 * rows;

describe('listFits', () => {
  it('finds the cost of rows, and no effect of bytes', () => {
    const [fit, ...others] = listFits({ cells: GRID, law: ROWS_ONLY });
    expect(others).toEqual([]);
    const [rows, bytes] = fit?.factors ?? [];
    expect(rows).toMatchObject({ name: 'rows', each: '1,000 rows', matters: true });
    expect(rows?.ms).toBeCloseTo(12, 0);
    expect(rows?.low).toBeLessThan(12);
    expect(rows?.high).toBeGreaterThan(12);
    expect(bytes).toMatchObject({ name: 'bytes', matters: false });
    expect(fit?.text).toMatch(
      /^Time of the median response over rows and bytes: each 1,000 rows cost 1[12](\.\d)? ms \(1[01](\.\d)? ms to 1[23](\.\d)? ms\); no effect of bytes is seen \(each .* of bytes: −.* ms to .* ms\)\. 2\d(\.\d)? ms \(.*\) are there without any of them\. The line is at most \d(\.\d)? % beside what was measured, over 9 cells\.$/,
    );
  });

  it('finds the costs of rows and of bytes', () => {
    const [fit] = listFits({ cells: GRID, law: (rows, bytes) => 25 + 0.012 * rows + 0.02 * bytes, noise: 0.01 });
    expect(fit?.factors.map(({ matters }) => matters)).toEqual([true, true]);
  });

  it('reports a false cost in few of many series, and covers the true cost in nearly all intervals', () => {
    let falseAlarms = 0;
    let covered = 0;
    let reported = 0;
    for (let seed = 1; seed <= 200; seed += 1) {
      const [fit] = listFits({ cells: GRID, law: ROWS_ONLY, noise: 0.05, seed });
      const [rows, bytes] = fit?.factors ?? [];
      if (rows === undefined || bytes === undefined) continue;
      reported += 1;
      if (bytes.matters) falseAlarms += 1;
      if (rows.low <= 12 && rows.high >= 12) covered += 1;
    }
    expect(reported).toBeGreaterThanOrEqual(190);
    expect(falseAlarms / reported).toBeLessThanOrEqual(0.06);
    expect(covered / reported).toBeGreaterThanOrEqual(0.94);
  });

  const countRefused = (simulated: SimulatedSeries): string | null => listFits(simulated)[0]?.refused ?? null;

  it('refuses too few cells, and two values', () => {
    expect(countRefused({ cells: GRID.slice(0, 4), law: ROWS_ONLY })).toMatch(
      /^4 measured cells without failures are too few: .* at least 6\.$/,
    );
    const twoValues = GRID.filter(({ rows }) => rows < 100_000);
    expect(countRefused({ cells: twoValues, law: ROWS_ONLY })).toBe(
      '“rows” was measured at fewer than 3 values, and any two lie on a straight line.',
    );
    expect(listFits({ cells: GRID.slice(0, 2), law: ROWS_ONLY }), 'two points ask for no line').toEqual([]);
  });

  it('refuses a fit if rows and bytes change together', () => {
    const together = [1, 2, 3, 5, 8, 13].map((size) => ({ rows: size * 1_000, bytes: `${size} kB` }));
    expect(countRefused({ cells: together, law: ROWS_ONLY })).toMatch(/^rows and bytes change together/);
    const nearly = together.map(({ rows, bytes }, index) => ({ rows: rows * (1 + 0.01 * (index % 2)), bytes }));
    expect(countRefused({ cells: nearly, law: ROWS_ONLY })).toMatch(/^rows and bytes change together/);
  });

  it('refuses a fit if the times are not on a line', () => {
    expect(countRefused({ cells: GRID, law: (rows) => 25 + 1e-6 * rows * rows })).toMatch(
      /^The times lie on no straight line: “cell \d” took/,
    );
    expect(countRefused({ cells: GRID, law: (rows) => 200 * Math.log10(rows) - 550, repeats: 1, noise: 0 })).toMatch(
      /^The times lie on no straight line/,
    );
  });

  it('excludes cells with failures, which are often fast', () => {
    expect(countRefused({ cells: GRID, law: ROWS_ONLY, failedShare: 0.2 })).toMatch(/^0 measured cells without failures/);
  });

  const DOUBLED = [1_000, 2_000, 4_000, 8_000, 16_000, 32_000].map((rows) => ({ rows, bytes: '1 kB' }));

  it('uses the cells that state each amount', () => {
    const fits = listFits({ cells: [{ rows: 500 }, ...DOUBLED, { bytes: '2 kB' }], law: ROWS_ONLY });
    expect(fits.map(({ refused, factors, cells }) => [refused, factors.map(({ name }) => name), cells.map(({ cell }) => cell)])).toEqual([
      [null, ['rows'], ['cell 2', 'cell 3', 'cell 4', 'cell 5', 'cell 6', 'cell 7']],
    ]);
  });

  it('weights cells by their runs: one with a single run counts less than one with twenty', () => {
    const law: Law = (rows, bytes) => ROWS_ONLY(rows, bytes) * (rows === 32_000 ? 1.1 : 1);
    const perThousandRows = (once: boolean): number | undefined =>
      listFits({ cells: DOUBLED, law, noise: 0, listRepeats: ({ rows }) => (once && rows === 32_000 ? 1 : 20) })[0]?.factors[0]?.ms;
    expect(perThousandRows(false)).toBeCloseTo(12.54, 2);
    expect(perThousandRows(true)).toBeCloseTo(12.04, 2);
  });

  it('returns a fit for each condition, and never over properties of a machine', () => {
    const cells = ['on', 'off'].flatMap((index) => [1_000, 2_000, 4_000, 8_000, 16_000].map((rows) => ({ rows, bytes: '1 kB', index })));
    const slower = cells.map((factors) => ({ ...factors, memory: 4 }));
    const fits = listFits({ cells: slower, law: ROWS_ONLY });
    expect(fits.map(({ condition, factors }) => [condition, factors.map(({ name }) => name)])).toEqual([
      ['index on', ['rows']],
      ['index off', ['rows']],
    ]);
    expect(fits[0]?.text).toMatch(/^At index on, time of the median response over rows: each 1,000 rows cost/);
    const machines = [1, 2, 4, 8, 16, 32].map((memory) => ({ memory, rows: 1 }));
    expect(listFits({ cells: machines, law: () => 10 })).toEqual([]);
  });
});
