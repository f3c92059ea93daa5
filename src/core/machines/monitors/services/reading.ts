import { setOwn } from '#core/base/ownMembers.ts';
import { type Catalogue, keyOf, keyParts, type MonitorReading, type Quantity } from '../quantity.ts';
import type { MonitorLimit } from '../result.ts';

/** How a number that a service tells is shown: its quantity, and whether it is a level or a count that only rises. */
interface ToldQuantity extends Quantity {
  /** What the service itself calls it. */
  readonly theirs: string;
  readonly counts: boolean;
  /** What the others in its chart cannot go beyond. */
  readonly isLimit: boolean;
}

interface ReadNumbers {
  readonly gauges: Record<string, number>;
  readonly counters: Record<string, number>;
}

/** Quantities that stand in one chart, from what the service calls each, our id and its words. */
export function inChart(
  chart: string,
  kind: { readonly counts?: boolean; readonly unit?: Quantity['unit']; readonly isLimit?: boolean },
  rows: readonly (readonly [theirs: string, id: string, words: string])[],
): ToldQuantity[] {
  const { counts = false, unit = counts ? 'perSecond' : 'count', isLimit = false } = kind;
  return rows.map(([theirs, id, words]) => ({ id, words, unit, chart, theirs, counts, isLimit }));
}

/** The quantities, and the limits of their charts, as charts want them. */
export function catalogueOf(told: readonly ToldQuantity[]): { readonly quantities: Quantity[]; readonly limits: Quantity[] } {
  const plain = ({ id, words, unit, chart }: ToldQuantity): Quantity => ({ id, words, unit, chart });
  return { quantities: told.filter(({ isLimit }) => !isLimit).map(plain), limits: told.filter(({ isLimit }) => isLimit).map(plain) };
}

/** Lines that would lie across one chart for hundreds of servers say nothing: so many at most. */
const MOST_LINES = 4;

/** The lines across the charts, from the gauges of the last reading. */
export function limitsOf({ limits = [] }: Catalogue, gauges: MonitorReading['gauges']): MonitorLimit[] {
  return limits.flatMap(({ id, chart, words }) => {
    const lines = Object.entries(gauges).flatMap(([key, value]): MonitorLimit[] => {
      const { id: read, instance } = keyParts(key);
      if (read !== id) return [];
      return [instance === null ? { chart, value, words } : { chart, value, words: `${words} of ${instance}`, instance }];
    });
    return lines.length > MOST_LINES ? [] : lines;
  });
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
    if (value !== null && value !== undefined)
      setOwn(counts ? read.counters : read.gauges, instance === null ? id : keyOf(id, instance), value);
  }
  return read;
}

/** A decimal number and nothing else; null for anything that is none, also for infinity. */
export function numberOf(text: string | undefined): number | null {
  if (text === undefined || !/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text.trim())) return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : null;
}

/** Rows of a name and a number, as a database answers them; what is no number is left out. */
export type NamedValues = ReadonlyMap<string, number>;

/** From rows of a database's client. Names are taken without regard to capitals. */
export function namedValues(rows: readonly (readonly [name: unknown, value: unknown])[]): NamedValues {
  const values = new Map<string, number>();
  for (const [name, value] of rows) {
    const number = typeof value === 'number' ? value : numberOf(value === null || value === undefined ? '' : String(value));
    if (number !== null && Number.isFinite(number)) values.set(String(name).toLowerCase(), number);
  }
  return values;
}
