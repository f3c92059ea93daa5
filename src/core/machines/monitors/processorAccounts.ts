import { getOwn } from '#core/base/ownMembers.ts';
import { formatPercent, formatSeconds } from '#core/base/units.ts';
import { keyParts } from './quantity.ts';
import type { MonitorResult } from './result.ts';

/** What another tool says of the processor of a program, beside what the kernel counted for it in the same time. */
export interface ProcessorAccount {
  /** Name of the graph and of its line: "docker stats: CPU %". */
  readonly by: string;
  /** The program or container that is meant: "nginx", or "nginx on web1" where several machines were watched. */
  readonly of: string;
  /** For how long both are known. */
  readonly seconds: number;
  /** Means over that time, in cores: a share of the other tool is taken to be of one core. */
  readonly saidCores: number;
  readonly countedCores: number;
}

/** A stretch of a run, in its seconds. */
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

/** Readings are those under load, in order of time. */
interface Program {
  readonly name: string;
  readonly of: string;
  readonly readings: readonly Reading[];
}

const ABOUT_PROCESSOR = /\bcpu|processor/i;
const OF_PROGRAMS: ReadonlySet<string> = new Set(['process.cpu', 'container.cpu']);

/**
 * Every attached graph of a share that is called after the processor, held against every program and container that was watched, or against those of
 * them whose name it holds. Only what both tell of the time of the load counts: `loaded` are its stretches.
 */
export function processorAccounts(monitors: readonly MonitorResult[], loaded: readonly Span[]): ProcessorAccount[] {
  const machines = monitors.filter(({ kind }) => kind === 'machine');
  const counted = machines.flatMap(programsOf).map((line): Program => {
    const { name, monitor } = line;
    // A reading that is partly of the time before or after the load says nothing of the load.
    const readings = readingsOf(line).filter((one) => loaded.some(({ from, to }) => from <= one.from && one.to <= to));
    return { name, of: machines.length > 1 ? `${name} on ${monitor.name}` : name, readings };
  });
  return monitors.flatMap(saidIn).flatMap((said) => {
    const named = counted.filter(({ name }) => said.name.toLowerCase().includes(name.toLowerCase()));
    const readings = readingsOf(said);
    return (named.length > 0 ? named : counted).flatMap((program) => accountOf(said.name, readings, program));
  });
}

function programsOf(monitor: MonitorResult): Line[] {
  return Object.entries(monitor.values).flatMap(([key, values]) => {
    const { id, instance } = keyParts(key);
    return OF_PROGRAMS.has(id) && instance !== null ? [{ name: instance, values, monitor }] : [];
  });
}

function saidIn(monitor: MonitorResult): Line[] {
  if (monitor.kind !== 'graph') return [];
  return monitor.quantities.flatMap(({ id, unit, words }) => {
    const name = `${monitor.name}: ${words}`;
    return unit === 'share' && ABOUT_PROCESSOR.test(name) ? [{ name, values: getOwn(monitor.values, id) ?? [], monitor }] : [];
  });
}

/** Means by time over what both tell of, each in order of time; nothing where they have nothing in common. */
function accountOf(by: string, said: readonly Reading[], { of, readings: counted }: Program): ProcessorAccount[] {
  let [seconds, saidCores, countedCores] = [0, 0, 0];
  let first = 0;
  for (const one of said) {
    while ((counted[first]?.to ?? Number.POSITIVE_INFINITY) <= one.from) first += 1;
    for (let at = first; at < counted.length; at += 1) {
      const other = counted[at];
      if (other === undefined || other.from >= one.to) break;
      const both = Math.max(0, Math.min(one.to, other.to) - Math.max(one.from, other.from));
      seconds += both;
      saidCores += one.value * both;
      countedCores += other.value * both;
    }
  }
  return seconds === 0 ? [] : [{ by, of, seconds, saidCores: saidCores / seconds, countedCores: countedCores / seconds }];
}

function readingsOf({ values, monitor: { second, width } }: Line): Reading[] {
  return values.flatMap((value, row) => {
    const from = second[row];
    return value === null || from === undefined ? [] : [{ from, to: from + (width[row] ?? 1), value }];
  });
}

export const PROCESSOR_ACCOUNTS_TITLE = 'Processor use by other tools';
export const PROCESSOR_ACCOUNTS_NOTE =
  'Whole seconds under load. 100 % is one core; a tool that divides by all cores reports less. A point is 1 % of a core.';

/** Of {@link processorAccountRows}. */
export const PROCESSOR_ACCOUNT_COLUMNS = [
  { name: 'Reported by', numeric: false },
  { name: 'Of', numeric: false },
  { name: 'Reported', numeric: true },
  { name: 'Counted by the kernel', numeric: true },
  { name: 'Error', numeric: true },
  { name: 'Over', numeric: true },
] as const;

/** The accounts as cells of text. The error is in points: hundredths of a core. */
export function processorAccountRows(accounts: readonly ProcessorAccount[]): string[][] {
  return accounts.map(({ by, of, seconds, saidCores, countedCores }) => [
    by,
    of,
    formatPercent(saidCores),
    formatPercent(countedCores),
    pointsText(100 * (saidCores - countedCores)),
    formatSeconds(seconds),
  ]);
}

function pointsText(points: number): string {
  const rounded = Number(points.toFixed(1));
  return `${rounded > 0 ? '+' : rounded < 0 ? '−' : '±'}${Math.abs(rounded)} points`;
}
