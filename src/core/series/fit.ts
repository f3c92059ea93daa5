import { getOwn } from '#core/base/ownMembers.ts';
import { inARow } from '#core/plan/hosts/places.ts';
import { leastSquares, type Plane } from '#core/statistics/leastSquares.ts';
import { incompleteBeta, studentQuantile } from '#core/statistics/beta.ts';
import { meanOf } from '#core/statistics/trend.ts';
import type { Series } from '#core/plan/schema/series.ts';
import { formatBytes, formatCount, formatMs, formatNumber, formatPercent } from '#core/base/units.ts';
import { factorNames } from './format.ts';
import { levelName } from './levels.ts';
import type { SeriesRow } from './result.ts';
import type { Fit } from './result.ts';

/** Rows that are alike in their level and in all factors but the named ones. */
export function groupsAlike(rows: readonly SeriesRow[], but: readonly string[]): SeriesRow[][] {
  return [
    ...Map.groupBy(rows, ({ factors, level }) => {
      const others = Object.entries(factors).filter(([name]) => !but.includes(name));
      return JSON.stringify([others.toSorted(([one], [other]) => one.localeCompare(other)), levelName(level)]);
    }).values(),
  ];
}

/** What the rows of one of these groups have in common that those of another do not: "10 users, cache on"; '' where that is nothing. */
export function conditionWords(group: readonly SeriesRow[], groups: readonly (readonly SeriesRow[])[], but: readonly string[]): string {
  const [row] = group;
  if (row === undefined) return '';
  const all = groups.flat();
  const level = new Set(all.map((other) => levelName(other.level))).size > 1 ? levelName(row.level) : '';
  const factors = factorNames(all)
    .filter((name) => !but.includes(name) && new Set(all.map((other) => String(getOwn(other.factors, name)))).size > 1)
    .flatMap((name) => (getOwn(row.factors, name) === undefined ? [] : [`${name} ${String(getOwn(row.factors, name))}`]));
  return [level, ...factors].filter((part) => part !== '').join(', ');
}

/** A factor's value as a number. `unit` is "B" for amounts of data, else what was written behind the number, or ''. */
interface Amount {
  readonly value: number;
  readonly unit: string;
}

const DATA_UNITS: Readonly<Record<string, number>> = {
  b: 1,
  byte: 1,
  bytes: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 2 ** 10,
  mib: 2 ** 20,
  gib: 2 ** 30,
  tib: 2 ** 40,
};
const THOUSANDS: Readonly<Record<string, number>> = { k: 1e3, m: 1e6 };
/** "4", "1,000", "0.5", "100 000", and what is behind it. */
const WRITTEN = /^(\d{1,3}(?:[, _]\d{3})+|\d+)(\.\d+)?\s*(\D*)$/;

/** Reads "4 GB", "100k", "1,000" or 2; null for what is no amount: "on", "r3.8xlarge", true. */
export function amountOf(value: string | number | boolean | undefined): Amount | null {
  if (typeof value === 'number') return Number.isFinite(value) ? { value, unit: '' } : null;
  if (typeof value !== 'string') return null;
  const [, whole = '', part = '', behind = ''] = WRITTEN.exec(value.trim()) ?? [];
  if (whole === '') return null;
  const number = Number(whole.replaceAll(/[, _]/g, '') + part);
  const unit = behind.trim();
  const lower = unit.toLowerCase();
  const data = getOwn(DATA_UNITS, lower);
  if (data !== undefined) return { value: number * data, unit: 'B' };
  return { value: number * (getOwn(THOUSANDS, lower) ?? 1), unit: getOwn(THOUSANDS, lower) === undefined ? unit : '' };
}

/** Names of what a machine is bought or rented by, as people call factors. */
const OF_A_MACHINE = /^(v?cpus?|(cpu )?cores?|processors?|memory|ram|machines?|servers?|nodes?|instances?|replicas?|containers?|vms?)$/i;

/** The factors that say how large a machine is: those that the series names, else those with a usual name. */
export function machineFactors(named: readonly string[] | undefined, rows: readonly Pick<SeriesRow, 'factors'>[]): string[] {
  if (named !== undefined) return [...named];
  return [...new Set(rows.flatMap(({ factors }) => Object.keys(factors)))].filter((name) => OF_A_MACHINE.test(name.trim()));
}

interface Varied {
  readonly name: string;
  readonly unit: string;
  readonly values: readonly number[];
  /** ms for one unit. */
  readonly slope: number;
}

/**
 * The amount that a cost is told for: the power of ten below the smallest step between two values, and more where that would cost less than a millisecond, but
 * no more than all that was varied. With its words: "1,000 rows", "1 kB of photo".
 */
function eachOf({ name, unit, values, slope }: Varied): { readonly amount: number; readonly each: string } {
  const sorted = [...new Set(values)].toSorted((one, other) => one - other);
  const steps = sorted.slice(1).map((value, index) => value - (sorted[index] ?? 0));
  const most = powerBelow((sorted.at(-1) ?? 1) - (sorted[0] ?? 0));
  let amount = powerBelow(Math.min(...steps));
  while (amount < most && Math.abs(slope) * amount < 1) amount *= 10;
  return { amount, each: amountWords(amount, name, unit) };
}

function powerBelow(value: number): number {
  return 10 ** Math.floor(Math.log10(value) + 1e-9);
}

function amountWords(amount: number, name: string, unit: string): string {
  if (unit === 'B') return `${formatBytes(amount)} of ${name}`;
  const number = amount >= 1 ? formatCount(amount) : formatNumber(amount);
  return unit === '' ? `${number} ${name}` : `${number} ${unit} of ${name}`;
}

interface Told extends Pick<Fit, 'condition' | 'factors'> {
  readonly names: string;
  readonly base: { readonly ms: number; readonly low: number; readonly high: number };
  readonly worstMiss: number;
  readonly cells: number;
}

/** "Time over rows and bytes: each 1,000 rows cost 12 ms (10 ms to 14 ms); no effect of bytes is seen …". */
function fitText({ condition, names, factors, base, worstMiss, cells }: Told): string {
  const told = factors.map(({ name, each, ms, low, high, matters }) => {
    if (!matters) return `no effect of ${name} is seen (each ${each}: ${signed(low)} to ${signed(high)})`;
    const [from, to] = ms > 0 ? [low, high] : [-high, -low];
    return `each ${each} ${ms > 0 ? 'cost' : 'save'} ${formatMs(Math.abs(ms))} (${formatMs(from)} to ${formatMs(to)})`;
  });
  const rest = base.low > 0 ? ` ${formatMs(base.ms)} (${formatMs(base.low)} to ${formatMs(base.high)}) are there without any of them.` : '';
  return `${headOf(condition, names)}: ${told.join('; ')}.${rest} The line is at most ${formatPercent(worstMiss, 2)} beside what was measured, over ${formatCount(cells)} cells.`;
}

function refusedText(condition: string, names: string, refused: string): string {
  return `${headOf(condition, names)}: no line fits. ${refused}`;
}

/** Why no line is told: what it would say of the cell that it misses most. */
function missText(cell: string, measuredMs: number, lineMs: number): string {
  return `The times lie on no straight line: “${cell}” took ${formatMs(measuredMs)}, where the line says ${formatMs(lineMs)}. Something grows faster or slower than in proportion.`;
}

function headOf(condition: string, names: string): string {
  return `${condition === '' ? 'Time' : `At ${condition}, time`} of the median response over ${names}`;
}

function signed(ms: number): string {
  return ms < 0 ? `−${formatMs(-ms)}` : formatMs(ms);
}

/** Cells beyond the number of coefficients from which residuals tell anything. */
const SPARE_CELLS = 3;
/** Two values lie on a straight line whatever the times are. */
const LEAST_VALUES = 3;
/** Amounts whose variance grows more than that because others change with them are not told apart (Marquardt 1970). */
const MOST_INFLATION = 10;
/** Of all intervals of a line together. */
const OUTSIDE = 0.05;
/** The line is refused where chance would make it miss the cells so far once in so many times, and it misses one by more than this part. */
const LACK_LEVEL = 0.01;
const SEEN_MISS = 0.15;
/** Where cells were not repeated, chance is not known, and only a larger miss tells. */
const SINGLE_MISS = 0.3;
/** With more failures than this, times are of another thing: failing is often fast. */
const MOST_FAILED = 0.05;
const ROUNDS = 8;

/** A cell at its amounts, with the time of half of the answers in each whole run. */
interface Sample {
  readonly row: SeriesRow;
  readonly at: readonly number[];
  readonly runs: readonly number[];
  readonly ms: number;
}

interface Column {
  readonly name: string;
  readonly unit: string;
}

/**
 * What each of the amounts that a series varies beside the machine (rows, bytes, …) adds to the time that half of the answers stayed within: a straight line
 * by weighted least squares over the cells, for each level and each other condition. Times are as many percent apart when they are long as when they are short, so
 * each run of a cell weighs 1 / (time of the line)², found by iteration (NIST/SEMATECH e-Handbook, 4.4.5.2). Intervals are Student's, at 95 % for all
 * factors together (Bonferroni), and their spread is that of the cells around the line, so that bends too slight to see widen them. Nothing is told
 * of fewer than three different points; else a reason stands where a line would mislead.
 */
export function fitsOf(rows: readonly SeriesRow[], { machine }: Pick<Series, 'machine'>): Fit[] {
  const ofMachine = machineFactors(machine, rows);
  const names = factorNames(rows).filter((name) => !ofMachine.includes(name) && unitOf(rows, name) !== null);
  if (names.length === 0) return [];
  const groups = groupsAlike(rows, names);
  return groups.flatMap((group) => {
    const alike = sayingTheSame(group, names);
    const columns = names.flatMap((name) => {
      const varies = new Set(alike.map((row) => valueOf(row, name))).size > 1;
      return varies ? [{ name, unit: unitOf(alike, name) ?? '' }] : [];
    });
    const placed = alike.map((row) => ({ row, at: columns.map(({ name }) => valueOf(row, name) ?? 0) }));
    if (columns.length === 0 || new Set(placed.map(({ at }) => JSON.stringify(at))).size < LEAST_VALUES) return [];
    return [fitOf(placed.flatMap(sampleOf), columns, conditionWords(group, groups, names))];
  });
}

/** The rows that say of which factors they have how much, as most do: where one says nothing of a factor, it is not known that it has as much as the others. */
function sayingTheSame(rows: readonly SeriesRow[], names: readonly string[]): readonly SeriesRow[] {
  const bySaid = Map.groupBy(rows, (row) => JSON.stringify(names.filter((name) => valueOf(row, name) !== undefined)));
  return [...bySaid.values()].toSorted((one, other) => other.length - one.length)[0] ?? [];
}

function valueOf({ factors }: SeriesRow, name: string): number | undefined {
  return amountOf(getOwn(factors, name))?.value;
}

/** The one unit of all values of a factor; null where one of them is no amount, or they have several. */
function unitOf(rows: readonly SeriesRow[], name: string): string | null {
  const amounts = rows.flatMap(({ factors }): (Amount | null)[] =>
    getOwn(factors, name) === undefined ? [] : [amountOf(getOwn(factors, name))],
  );
  const units = new Set(amounts.map((amount) => amount?.unit ?? null));
  const [unit = null] = units;
  return units.size === 1 ? unit : null;
}

function sampleOf({ row, at }: { readonly row: SeriesRow; readonly at: readonly number[] }): Sample[] {
  const whole = row.runs.flatMap(({ state, figures }) => (state === 'value' && figures !== null ? [figures] : []));
  const runs = whole.flatMap(({ p50, failedShare }) =>
    typeof p50 === 'number' && p50 > 0 && (failedShare ?? 0) <= MOST_FAILED ? [p50] : [],
  );
  if (runs.length === 0 || runs.length < whole.length) return [];
  return [{ row, at, runs, ms: meanOf(runs) }];
}

function fitOf(samples: readonly Sample[], columns: readonly Column[], condition: string): Fit {
  const names = inARow(columns.map(({ name }) => name));
  const cells = samples.map(({ row, ms }) => ({ cell: row.cell, measuredMs: ms, lineMs: null }));
  const refuse = (refused: string): Fit => ({
    condition,
    factors: [],
    base: null,
    cells,
    worstMiss: null,
    refused,
    text: refusedText(condition, names, refused),
  });
  const needed = columns.length + 1 + SPARE_CELLS;
  if (samples.length < needed)
    return refuse(`${samples.length} measured cells without failures are too few: a line through ${names} wants at least ${needed}.`);
  const sparse = columns.find((_, index) => new Set(samples.map(({ at }) => at[index])).size < LEAST_VALUES);
  if (sparse !== undefined)
    return refuse(`“${sparse.name}” was measured at fewer than ${LEAST_VALUES} values, and any two lie on a straight line.`);
  const found = planeOf(samples);
  if (found === null || Math.max(...found.plane.inflation) > MOST_INFLATION)
    return refuse(`${names} change together, so which of them takes the time is unknown: vary each while the others stay.`);
  const { plane } = found;
  const bad = bentAt(samples, plane);
  if (bad !== null) return refuse(missText(samples[bad]?.row.cell ?? '', samples[bad]?.ms ?? 0, Math.max(0, plane.fitted[bad] ?? 0)));
  return lineOf({ samples, columns, plane, condition, names });
}

/** null where the amounts cannot be told apart. */
function planeOf(samples: readonly Sample[]): { readonly plane: Plane } | null {
  const through = (times: readonly number[]): Plane | null =>
    leastSquares(samples.map(({ at, ms, runs }, index) => ({ at, value: ms, weight: runs.length / (times[index] ?? ms) ** 2 })));
  let plane = through(samples.map(({ ms }) => ms));
  for (let round = 0; round < ROUNDS && plane !== null && plane.fitted.every((ms) => ms > 0); round += 1) plane = through(plane.fitted);
  return plane && { plane };
}

/**
 * The cell that the line misses most, where the times lie on no line: by the F test of the lack of fit against the spread of repeats (NIST/SEMATECH e-Handbook,
 * 4.4.4.6), and by how far it misses: the test alone would refuse lines that are good enough. null where they do.
 */
function bentAt(samples: readonly Sample[], { fitted, freedom }: Plane): number | null {
  const below = fitted.findIndex((ms) => ms <= 0);
  if (below >= 0) return below;
  const misses = samples.map(({ ms }, index) => ms / (fitted[index] ?? ms) - 1);
  const worst = misses.reduce((place, miss, index) => (Math.abs(miss) > Math.abs(misses[place] ?? 0) ? index : place), 0);
  const miss = Math.abs(misses[worst] ?? 0);
  const within = samples.reduce(
    (sum, { runs, ms }, index) => sum + runs.reduce((own, run) => own + ((run - ms) / (fitted[index] ?? ms)) ** 2, 0),
    0,
  );
  const repeats = samples.reduce((sum, { runs }) => sum + runs.length - 1, 0);
  if (repeats < SPARE_CELLS || within === 0) return miss > SINGLE_MISS ? worst : null;
  const lack = samples.reduce((sum, { runs }, index) => sum + runs.length * (misses[index] ?? 0) ** 2, 0);
  const ratio = lack / freedom / (within / repeats);
  const chance = incompleteBeta(repeats / 2, freedom / 2, repeats / (repeats + freedom * ratio));
  return chance <= LACK_LEVEL && miss > SEEN_MISS ? worst : null;
}

interface Line {
  readonly samples: readonly Sample[];
  readonly columns: readonly Column[];
  readonly plane: Plane;
  readonly condition: string;
  readonly names: string;
}

function lineOf({ samples, columns, plane, condition, names }: Line): Fit {
  const { coefficients, errors, freedom, fitted } = plane;
  const reach = studentQuantile(freedom, OUTSIDE / columns.length);
  const intervalOf = (index: number, amount: number): { ms: number; low: number; high: number } => {
    const [slope = 0, error = 0] = [coefficients[index], errors[index]];
    return { ms: slope * amount, low: (slope - reach * error) * amount, high: (slope + reach * error) * amount };
  };
  const factors = columns.map(({ name, unit }, index): Fit['factors'][number] => {
    const values = samples.map(({ at }) => at[index] ?? 0);
    const { amount, each } = eachOf({ name, unit, values, slope: coefficients[index + 1] ?? 0 });
    const interval = intervalOf(index + 1, amount);
    return { name, each, ...interval, matters: interval.low > 0 || interval.high < 0 };
  });
  const base = intervalOf(0, 1);
  const worstMiss = Math.max(...samples.map(({ ms }, index) => Math.abs(ms / (fitted[index] ?? ms) - 1)));
  return {
    condition,
    factors,
    base,
    cells: samples.map(({ row, ms }, index) => ({ cell: row.cell, measuredMs: ms, lineMs: fitted[index] ?? null })),
    worstMiss,
    refused: null,
    text: fitText({ condition, names, factors, base, worstMiss, cells: samples.length }),
  };
}
