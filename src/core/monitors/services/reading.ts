import { keyOf, type Quantity } from '../quantity.ts';

/** How a number that a service tells is shown: its quantity, and whether it is a level or a count that only rises. */
export interface ToldQuantity extends Quantity {
  /** What the service itself calls it. */
  readonly theirs: string;
  readonly counts: boolean;
}

export interface ReadNumbers {
  readonly gauges: Record<string, number>;
  readonly counters: Record<string, number>;
}

/** Quantities that stand in one chart, from what the service calls each, our id and its words. */
export function inChart(
  chart: string,
  kind: { readonly counts?: boolean; readonly unit?: Quantity['unit']; readonly limitOf?: string },
  rows: readonly (readonly [theirs: string, id: string, words: string])[],
): ToldQuantity[] {
  const { counts = false, unit = counts ? 'perSecond' : 'count', limitOf } = kind;
  return rows.map(([theirs, id, words]) => ({ id, words, unit, chart, theirs, counts, ...(limitOf === undefined ? {} : { limitOf }) }));
}

/** The quantities as charts want them. */
export function catalogueOf(told: readonly ToldQuantity[]): Quantity[] {
  return told.map(({ theirs: _theirs, counts: _counts, ...quantity }) => quantity);
}

/** Those that are told, under our ids, of one instance if there are several. What `valueOf` does not know is left out. */
export function readNumbers(
  told: readonly ToldQuantity[],
  valueOf: (theirs: string) => number | null | undefined,
  instance: string | null = null,
): ReadNumbers {
  const read: ReadNumbers = { gauges: {}, counters: {} };
  for (const { theirs, id, counts } of told) {
    const value = valueOf(theirs);
    if (value !== null && value !== undefined) (counts ? read.counters : read.gauges)[instance === null ? id : keyOf(id, instance)] = value;
  }
  return read;
}

/** A decimal number and nothing else; null for anything that is none, also for infinity. */
export function numberOf(text: string | undefined): number | null {
  if (text === undefined || !/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text.trim())) return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : null;
}
