import { getOwn } from '#core/base/ownMembers.ts';
import { joinNames } from '#core/plan/hosts/generatorNames.ts';
import { fitLeastSquares, type Plane } from '#core/statistics/leastSquares.ts';
import { incompleteBeta, studentQuantile } from '#core/statistics/bounds.ts';
import { meanOf } from '#core/statistics/trend.ts';
import type { Series } from '#core/plan/schema/series.ts';
import { formatBytes, formatCount, formatMs, formatNumber, formatPercent } from '#core/base/units.ts';
import { factorNames } from './format.ts';
import { levelName } from './levels.ts';
import type { SeriesRow } from './result.ts';
import type { Fit } from './result.ts';

/** Groups rows that have the same level and the same factors, except for the named factors. */
export function groupsAlike(rows: readonly SeriesRow[], but: readonly string[]): SeriesRow[][] {
  return [
    ...Map.groupBy(rows, ({ factors, level }) => {
      const others = Object.entries(factors).filter(([name]) => !but.includes(name));
      return JSON.stringify([others.toSorted(([one], [other]) => one.localeCompare(other)), levelName(level)]);
    }).values(),
  ];
}

/** Describes what distinguishes a group from the others: "10 users, cache on". Empty if nothing does. */
export function formatCondition(group: readonly SeriesRow[], groups: readonly (readonly SeriesRow[])[], but: readonly string[]): string {
  const [row] = group;
  if (row === undefined) return '';
  const all = groups.flat();
  const level = new Set(all.map((other) => levelName(other.level))).size > 1 ? levelName(row.level) : '';
  const factors = factorNames(all)
    .filter((name) => !but.includes(name) && new Set(all.map((other) => String(getOwn(other.factors, name)))).size > 1)
    .flatMap((name) => (getOwn(row.factors, name) === undefined ? [] : [`${name} ${String(getOwn(row.factors, name))}`]));
  return [level, ...factors].filter((part) => part !== '').join(', ');
}

/** A factor's value as a number. `unit`: "B" for amounts of data, otherwise the text after the number, which may be empty. */
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
const COUNT_SUFFIXES: Readonly<Record<string, number>> = { k: 1e3, m: 1e6 };
/** Matches "4", "1,000", "0.5", "100 000", and the text after the number. */
const AMOUNT_PATTERN = /^(\d{1,3}(?:[, _]\d{3})+|\d+)(\.\d+)?\s*(\D*)$/;

/** Parses "4 GB", "100k", "1,000" or 2. Returns null for other values, such as "on", "r3.8xlarge" or true. */
export function parseAmount(value: string | number | boolean | undefined): Amount | null {
  if (typeof value === 'number') return Number.isFinite(value) ? { value, unit: '' } : null;
  if (typeof value !== 'string') return null;
  const [, whole = '', part = '', behind = ''] = AMOUNT_PATTERN.exec(value.trim()) ?? [];
  if (whole === '') return null;
  const number = Number(whole.replaceAll(/[, _]/g, '') + part);
  const unit = behind.trim();
  const lower = unit.toLowerCase();
  const data = getOwn(DATA_UNITS, lower);
  if (data !== undefined) return { value: number * data, unit: 'B' };
  return { value: number * (getOwn(COUNT_SUFFIXES, lower) ?? 1), unit: getOwn(COUNT_SUFFIXES, lower) === undefined ? unit : '' };
}

/** Matches usual names of factors that describe the size of a machine. */
const MACHINE_FACTOR_PATTERN =
  /^(v?cpus?|(cpu )?cores?|processors?|memory|ram|machines?|servers?|nodes?|instances?|replicas?|containers?|vms?)$/i;

/** Returns the factors that describe the size of a machine: those that the series names, or else those with a usual name. */
export function machineFactors(named: readonly string[] | undefined, rows: readonly Pick<SeriesRow, 'factors'>[]): string[] {
  if (named !== undefined) return [...named];
  return [...new Set(rows.flatMap(({ factors }) => Object.keys(factors)))].filter((name) => MACHINE_FACTOR_PATTERN.test(name.trim()));
}

interface VariedAmount {
  readonly name: string;
  readonly unit: string;
  readonly values: readonly number[];
  /** Slope in ms per unit. */
  readonly slope: number;
}

/**
 * Returns the amount for which a cost is stated: the power of ten below the smallest step between two values. It is increased, up to the
 * varied range, while its cost is below a millisecond. `each` is the text: "1,000 rows", "1 kB of photo".
 */
function describeAmounts({ name, unit, values, slope }: VariedAmount): { readonly amount: number; readonly each: string } {
  const sorted = [...new Set(values)].toSorted((one, other) => one - other);
  const steps = sorted.slice(1).map((value, index) => value - (sorted[index] ?? 0));
  const maxAmount = powerOfTenBelow((sorted.at(-1) ?? 1) - (sorted[0] ?? 0));
  let amount = powerOfTenBelow(Math.min(...steps));
  while (amount < maxAmount && Math.abs(slope) * amount < 1) amount *= 10;
  return { amount, each: formatFitAmount(amount, name, unit) };
}

function powerOfTenBelow(value: number): number {
  return 10 ** Math.floor(Math.log10(value) + 1e-9);
}

function formatFitAmount(amount: number, name: string, unit: string): string {
  if (unit === 'B') return `${formatBytes(amount)} of ${name}`;
  const number = amount >= 1 ? formatCount(amount) : formatNumber(amount);
  return unit === '' ? `${number} ${name}` : `${number} ${unit} of ${name}`;
}

interface ReportedFit extends Pick<Fit, 'condition' | 'factors'> {
  readonly names: string;
  readonly base: { readonly ms: number; readonly low: number; readonly high: number };
  readonly worstMiss: number;
  readonly cells: number;
}

/** Describes a fit: "Time over rows and bytes: each 1,000 rows cost 12 ms (10 ms to 14 ms); no effect of bytes is seen …". */
function fitText({ condition, names, factors, base, worstMiss, cells }: ReportedFit): string {
  const reported = factors.map(({ name, each, ms, low, high, matters }) => {
    if (!matters) return `no effect of ${name} is seen (each ${each}: ${formatSigned(low)} to ${formatSigned(high)})`;
    const [from, to] = ms > 0 ? [low, high] : [-high, -low];
    return `each ${each} ${ms > 0 ? 'cost' : 'save'} ${formatMs(Math.abs(ms))} (${formatMs(from)} to ${formatMs(to)})`;
  });
  const rest = base.low > 0 ? ` ${formatMs(base.ms)} (${formatMs(base.low)} to ${formatMs(base.high)}) are there without any of them.` : '';
  return `${sentenceStart(condition, names)}: ${reported.join('; ')}.${rest} The line is at most ${formatPercent(worstMiss, 2)} beside what was measured, over ${formatCount(cells)} cells.`;
}

function formatRefused(condition: string, names: string, refused: string): string {
  return `${sentenceStart(condition, names)}: no line fits. ${refused}`;
}

/** Explains why no line is shown, using the cell with the largest deviation. */
function missText(cell: string, measuredMs: number, lineMs: number): string {
  return `The times lie on no straight line: “${cell}” took ${formatMs(measuredMs)}, where the line says ${formatMs(lineMs)}. Something grows faster or slower than in proportion.`;
}

function sentenceStart(condition: string, names: string): string {
  return `${condition === '' ? 'Time' : `At ${condition}, time`} of the median response over ${names}`;
}

function formatSigned(ms: number): string {
  return ms < 0 ? `−${formatMs(-ms)}` : formatMs(ms);
}

/** Minimum number of cells beyond the number of coefficients at which residuals mean something. */
const MIN_SPARE_CELLS = 3;
/** Minimum number of values, because two values always lie on a line. */
const MIN_VALUES = 3;
/** Maximum variance inflation factor of amounts that can be distinguished (Marquardt 1970). */
const MAX_INFLATION = 10;
/** Error probability of all intervals of a line together. */
const ERROR_PROBABILITY = 0.05;
/**
 * Significance level of the lack-of-fit test. The line is refused if the test is significant at this level and the largest relative
 * deviation exceeds the second value.
 */
const LACK_OF_FIT_LEVEL = 0.01;
const MAX_DEVIATION = 0.15;
/** Maximum relative deviation if cells were not repeated, so that the variation is unknown. */
const MAX_SINGLE_DEVIATION = 0.3;
/** Maximum share of failures, because failures are often fast. */
const MAX_FAILED_SHARE = 0.05;
const MAX_ITERATIONS = 8;

/** A cell at its amounts, with the median response time of each complete run. */
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
 * Fits what each varied amount (rows, bytes, …) adds to the median response time: a line by weighted least squares over the cells, for each
 * level and condition. The relative error is constant, so each run weighs 1 / (fitted time)², found by iteration (NIST/SEMATECH e-Handbook,
 * 4.4.5.2). Intervals are Student's at 95 % for all factors together (Bonferroni). Their variance is that of the cells around the line, so
 * that slight curvature widens them. Returns nothing for fewer than three points, and a reason if a line would mislead.
 */
export function listFits(rows: readonly SeriesRow[], { machine }: Pick<Series, 'machine'>): Fit[] {
  const ofMachine = machineFactors(machine, rows);
  const names = factorNames(rows).filter((name) => !ofMachine.includes(name) && unitOf(rows, name) !== null);
  if (names.length === 0) return [];
  const groups = groupsAlike(rows, names);
  return groups.flatMap((group) => {
    const alike = selectMostCommonFactors(group, names);
    const columns = names.flatMap((name) => {
      const varies = new Set(alike.map((row) => valueOf(row, name))).size > 1;
      return varies ? [{ name, unit: unitOf(alike, name) ?? '' }] : [];
    });
    const placed = alike.map((row) => ({ row, at: columns.map(({ name }) => valueOf(row, name) ?? 0) }));
    if (columns.length === 0 || new Set(placed.map(({ at }) => JSON.stringify(at))).size < MIN_VALUES) return [];
    return [fitLine(placed.flatMap(sampleLogTimes), columns, formatCondition(group, groups, names))];
  });
}

/** Returns the rows that state the most common set of factors. A factor that a row does not state may have any amount. */
function selectMostCommonFactors(rows: readonly SeriesRow[], names: readonly string[]): readonly SeriesRow[] {
  const byStated = Map.groupBy(rows, (row) => JSON.stringify(names.filter((name) => valueOf(row, name) !== undefined)));
  return [...byStated.values()].toSorted((one, other) => other.length - one.length)[0] ?? [];
}

function valueOf({ factors }: SeriesRow, name: string): number | undefined {
  return parseAmount(getOwn(factors, name))?.value;
}

/** Returns the common unit of a factor's values; null if a value is not an amount, or if units differ. */
function unitOf(rows: readonly SeriesRow[], name: string): string | null {
  const amounts = rows.flatMap(({ factors }): (Amount | null)[] =>
    getOwn(factors, name) === undefined ? [] : [parseAmount(getOwn(factors, name))],
  );
  const units = new Set(amounts.map((amount) => amount?.unit ?? null));
  const [unit = null] = units;
  return units.size === 1 ? unit : null;
}

function sampleLogTimes({ row, at }: { readonly row: SeriesRow; readonly at: readonly number[] }): Sample[] {
  const whole = row.runs.flatMap(({ state, figures }) => (state === 'value' && figures !== null ? [figures] : []));
  const runs = whole.flatMap(({ p50, failedShare }) =>
    typeof p50 === 'number' && p50 > 0 && (failedShare ?? 0) <= MAX_FAILED_SHARE ? [p50] : [],
  );
  if (runs.length === 0 || runs.length < whole.length) return [];
  return [{ row, at, runs, ms: meanOf(runs) }];
}

function fitLine(samples: readonly Sample[], columns: readonly Column[], condition: string): Fit {
  const names = joinNames(columns.map(({ name }) => name));
  const cells = samples.map(({ row, ms }) => ({ cell: row.cell, measuredMs: ms, lineMs: null }));
  const refuse = (refused: string): Fit => ({
    condition,
    factors: [],
    base: null,
    cells,
    worstMiss: null,
    refused,
    text: formatRefused(condition, names, refused),
  });
  const needed = columns.length + 1 + MIN_SPARE_CELLS;
  if (samples.length < needed)
    return refuse(`${samples.length} measured cells without failures are too few: a line through ${names} wants at least ${needed}.`);
  const sparse = columns.find((_, index) => new Set(samples.map(({ at }) => at[index])).size < MIN_VALUES);
  if (sparse !== undefined)
    return refuse(`“${sparse.name}” was measured at fewer than ${MIN_VALUES} values, and any two lie on a straight line.`);
  const found = fitPlane(samples);
  if (found === null || Math.max(...found.plane.inflation) > MAX_INFLATION)
    return refuse(`${names} change together, so which of them takes the time is unknown: vary each while the others stay.`);
  const { plane } = found;
  const bad = findLackOfFit(samples, plane);
  if (bad !== null) return refuse(missText(samples[bad]?.row.cell ?? '', samples[bad]?.ms ?? 0, Math.max(0, plane.fitted[bad] ?? 0)));
  return toFit({ samples, columns, plane, condition, names });
}

/** Fits a plane to the samples; returns null if the amounts are collinear. */
function fitPlane(samples: readonly Sample[]): { readonly plane: Plane } | null {
  const fitThrough = (times: readonly number[]): Plane | null =>
    fitLeastSquares(samples.map(({ at, ms, runs }, index) => ({ at, value: ms, weight: runs.length / (times[index] ?? ms) ** 2 })));
  let plane = fitThrough(samples.map(({ ms }) => ms));
  for (let round = 0; round < MAX_ITERATIONS && plane !== null && plane.fitted.every((ms) => ms > 0); round += 1)
    plane = fitThrough(plane.fitted);
  return plane && { plane };
}

/**
 * Returns the cell with the largest deviation if the times are not on a line; null if they are. Uses the F test of lack of fit against the
 * variation of repeats (NIST/SEMATECH e-Handbook, 4.4.4.6), and the size of the deviation, because the test alone would refuse acceptable
 * lines.
 */
function findLackOfFit(samples: readonly Sample[], { fitted, freedom }: Plane): number | null {
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
  if (repeats < MIN_SPARE_CELLS || within === 0) return miss > MAX_SINGLE_DEVIATION ? worst : null;
  const lack = samples.reduce((sum, { runs }, index) => sum + runs.length * (misses[index] ?? 0) ** 2, 0);
  const ratio = lack / freedom / (within / repeats);
  const chance = incompleteBeta(repeats / 2, freedom / 2, repeats / (repeats + freedom * ratio));
  return chance <= LACK_OF_FIT_LEVEL && miss > MAX_DEVIATION ? worst : null;
}

interface Line {
  readonly samples: readonly Sample[];
  readonly columns: readonly Column[];
  readonly plane: Plane;
  readonly condition: string;
  readonly names: string;
}

function toFit({ samples, columns, plane, condition, names }: Line): Fit {
  const { coefficients, errors, freedom, fitted } = plane;
  const reach = studentQuantile(freedom, ERROR_PROBABILITY / columns.length);
  const computeInterval = (index: number, amount: number): { ms: number; low: number; high: number } => {
    const [slope = 0, error = 0] = [coefficients[index], errors[index]];
    return { ms: slope * amount, low: (slope - reach * error) * amount, high: (slope + reach * error) * amount };
  };
  const factors = columns.map(({ name, unit }, index): Fit['factors'][number] => {
    const values = samples.map(({ at }) => at[index] ?? 0);
    const { amount, each } = describeAmounts({ name, unit, values, slope: coefficients[index + 1] ?? 0 });
    const interval = computeInterval(index + 1, amount);
    return { name, each, ...interval, matters: interval.low > 0 || interval.high < 0 };
  });
  const base = computeInterval(0, 1);
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
