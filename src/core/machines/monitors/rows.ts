import { getOwn } from '#core/base/ownMembers.ts';
import { formatQuantity, keyParts, type Quantity, valueWords } from './quantity.ts';
import type { MonitorResult } from './result.ts';

/** Told by the whole machine's, and too many to list. */
const LEFT_OUT = new Set(['core.used', 'load.oneMinute']);

/** One thing that a monitor has read, over the whole run. */
export interface MonitorRow {
  readonly name: string;
  /** By time. */
  readonly mean: string;
  readonly highest: string;
  /** When it was highest. */
  readonly atSecond: number;
}

/** Mean and highest value of each quantity. What stayed 0 is left out. */
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
