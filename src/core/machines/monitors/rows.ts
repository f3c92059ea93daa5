import { getOwn } from '#core/base/ownMembers.ts';
import { formatQuantity, keyParts, type Quantity, valueWords } from './quantity.ts';
import type { MonitorResult } from './result.ts';

/** Covered by values of the whole machine, and too many to list. */
const LEFT_OUT = new Set(['core.used', 'load.oneMinute']);

/** Summary of one value over the whole run. */
export interface MonitorRow {
  readonly name: string;
  /** Time-weighted. */
  readonly mean: string;
  readonly highest: string;
  /** Second of the maximum. */
  readonly atSecond: number;
}

/** Returns mean and maximum of each value, without those that stayed 0. */
export function monitorRows(monitor: MonitorResult): MonitorRow[] {
  return monitor.quantities.flatMap((quantity) => (LEFT_OUT.has(quantity.id) ? [] : rowsOf(monitor, quantity)));
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
        name: `${quantity.chart}: ${valueWords(key, quantity)}`,
        // Shows counts in full: rounded to three digits, a mean of 1,495 would be above the maximum.
        mean: formatQuantity(mean < 1_000 ? Number(mean.toPrecision(3)) : Math.round(mean), quantity.unit),
        highest: formatQuantity(highest.value, quantity.unit),
        atSecond: second[highest.row] ?? 0,
      },
    ];
  });
}
