import { getOwn } from '#core/base/ownMembers.ts';
import { formatPercent, formatSeconds } from '#core/base/units.ts';
import { keyParts, type MonitorResult, formatQuantity, type Quantity, formatValueName } from './result.ts';

/** Processor use of a program as another tool reports it, together with the kernel's count for the same time. */
export interface ProcessorAccount {
  /** Names of the graph and its line, such as "docker stats: CPU %". */
  readonly by: string;
  /** Program or container, such as "nginx", or "nginx on web1" if several machines were monitored. */
  readonly of: string;
  /** Time in which both values are known, in seconds. */
  readonly seconds: number;
  /** Mean number of cores over that time. A share that the other tool reports is a share of a single core. */
  readonly statedCores: number;
  readonly countedCores: number;
}

/** A part of a run in seconds. */
interface Span {
  readonly from: number;
  readonly to: number;
}

interface Line {
  readonly name: string;
  readonly values: readonly (number | null)[];
  readonly monitor: MonitorResult;
}

interface Reading extends Span {
  readonly value: number;
}

/** A program or container with its readings under load, in order of time. */
interface Program {
  readonly name: string;
  readonly of: string;
  readonly readings: readonly Reading[];
}

const PROCESSOR_PATTERN = /\bcpu|processor/i;
const PROGRAM_QUANTITIES: ReadonlySet<string> = new Set(['process.cpu', 'container.cpu']);

/**
 * Compares each attached graph of processor shares with every monitored program and container, or only with the ones that the graph names.
 * Only the time of the load counts; `loaded` contains its parts.
 */
export function processorAccounts(monitors: readonly MonitorResult[], loaded: readonly Span[]): ProcessorAccount[] {
  const machines = monitors.filter(({ kind }) => kind === 'machine');
  const counted = machines.flatMap(listPrograms).map((line): Program => {
    const { name, monitor } = line;
    // A reading that is partly outside the load is left out.
    const readings = listReadings(line).filter((one) => loaded.some(({ from, to }) => from <= one.from && one.to <= to));
    return { name, of: machines.length > 1 ? `${name} on ${monitor.name}` : name, readings };
  });
  return monitors.flatMap(listStated).flatMap((stated) => {
    const named = counted.filter(({ name }) => stated.name.toLowerCase().includes(name.toLowerCase()));
    const readings = listReadings(stated);
    return (named.length > 0 ? named : counted).flatMap((program) => listAccounts(stated.name, readings, program));
  });
}

function listPrograms(monitor: MonitorResult): Line[] {
  return Object.entries(monitor.values).flatMap(([key, values]) => {
    const { id, instance } = keyParts(key);
    return PROGRAM_QUANTITIES.has(id) && instance !== null ? [{ name: instance, values, monitor }] : [];
  });
}

function listStated(monitor: MonitorResult): Line[] {
  if (monitor.kind !== 'graph') return [];
  return monitor.quantities.flatMap(({ id, unit, words }) => {
    const name = `${monitor.name}: ${words}`;
    return unit === 'share' && PROCESSOR_PATTERN.test(name) ? [{ name, values: getOwn(monitor.values, id) ?? [], monitor }] : [];
  });
}

/** Returns time-weighted means over the common time of both lists, which must be in order of time; empty without common time. */
function listAccounts(by: string, statedReadings: readonly Reading[], { of, readings: counted }: Program): ProcessorAccount[] {
  let [seconds, statedCores, countedCores] = [0, 0, 0];
  let first = 0;
  for (const one of statedReadings) {
    while ((counted[first]?.to ?? Number.POSITIVE_INFINITY) <= one.from) first += 1;
    for (let at = first; at < counted.length; at += 1) {
      const other = counted[at];
      if (other === undefined || other.from >= one.to) break;
      const overlapSeconds = Math.max(0, Math.min(one.to, other.to) - Math.max(one.from, other.from));
      seconds += overlapSeconds;
      statedCores += one.value * overlapSeconds;
      countedCores += other.value * overlapSeconds;
    }
  }
  return seconds === 0 ? [] : [{ by, of, seconds, statedCores: statedCores / seconds, countedCores: countedCores / seconds }];
}

function listReadings({ values, monitor: { second, width } }: Line): Reading[] {
  return values.flatMap((value, row) => {
    const from = second[row];
    return value === null || from === undefined ? [] : [{ from, to: from + (width[row] ?? 1), value }];
  });
}

export const PROCESSOR_ACCOUNTS_TITLE = 'Processor use by other tools';
export const PROCESSOR_ACCOUNTS_NOTE =
  'Whole seconds under load. 100 % is one core; a tool that divides by all cores reports less. A point is 1 % of a core.';

export const PROCESSOR_ACCOUNT_COLUMNS = [
  { name: 'Reported by', numeric: false },
  { name: 'Of', numeric: false },
  { name: 'Reported', numeric: true },
  { name: 'Counted by the kernel', numeric: true },
  { name: 'Error', numeric: true },
  { name: 'Over', numeric: true },
] as const;

/** Formats the accounts as table cells. The error is in percentage points of a core. */
export function processorAccountRows(accounts: readonly ProcessorAccount[]): string[][] {
  return accounts.map(({ by, of, seconds, statedCores, countedCores }) => [
    by,
    of,
    formatPercent(statedCores),
    formatPercent(countedCores),
    pointsText(100 * (statedCores - countedCores)),
    formatSeconds(seconds),
  ]);
}

function pointsText(points: number): string {
  const rounded = Number(points.toFixed(1));
  return `${rounded > 0 ? '+' : rounded < 0 ? '−' : '±'}${Math.abs(rounded)} points`;
}

/** Quantities that are left out, because values of the whole machine cover them or there are too many to list. */
const OMITTED_QUANTITIES = new Set(['core.used', 'load.oneMinute']);

/** Summary of one value over the whole run. */
interface MonitorRow {
  readonly name: string;
  /** Time-weighted mean. */
  readonly mean: string;
  readonly highest: string;
  /** Second of the maximum. */
  readonly atSecond: number;
}

/** Returns mean and maximum of each value that did not stay 0. */
export function monitorRows(monitor: MonitorResult): MonitorRow[] {
  return monitor.quantities.flatMap((quantity) => (OMITTED_QUANTITIES.has(quantity.id) ? [] : rowsOf(monitor, quantity)));
}

function rowsOf({ values, second, width }: MonitorResult, quantity: Quantity): MonitorRow[] {
  const keys = Object.keys(values).filter((key) => keyParts(key).id === quantity.id);
  return keys.flatMap((key) => {
    const known = (getOwn(values, key) ?? []).flatMap((value, row) => (value === null ? [] : [{ value, row, seconds: width[row] ?? 1 }]));
    const highest = known.reduce<(typeof known)[number] | null>(
      (most, one) => (most === null || one.value > most.value ? one : most),
      null,
    );
    if (highest === null || highest.value === 0) return [];
    const seconds = known.reduce((sum, one) => sum + one.seconds, 0);
    const mean = known.reduce((sum, one) => sum + one.value * one.seconds, 0) / seconds;
    return [
      {
        name: `${quantity.chart}: ${formatValueName(key, quantity)}`,
        // Counts are shown in full, because a mean of 1,495, rounded to three digits, would be above the maximum.
        mean: formatQuantity(mean < 1_000 ? Number(mean.toPrecision(3)) : Math.round(mean), quantity.unit),
        highest: formatQuantity(highest.value, quantity.unit),
        atSecond: second[highest.row] ?? 0,
      },
    ];
  });
}
