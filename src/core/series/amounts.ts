import { getOwn } from '#core/base/ownMembers.ts';
import type { SeriesRow } from './result.ts';

/** A factor's value as a number. `unit` is "B" for amounts of data, else what was written behind the number, or ''. */
export interface Amount {
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
