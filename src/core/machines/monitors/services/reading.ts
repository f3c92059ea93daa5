import { setOwn } from '#core/base/ownMembers.ts';
import { type Catalogue, keyOf, keyParts, type MonitorReading, type Quantity, type MonitorLimit } from '../result.ts';

/** A quantity that a service reports as a gauge or a counter. */
interface ReportedQuantity extends Quantity {
  /** Name of the quantity in the output of the service. */
  readonly theirs: string;
  readonly counts: boolean;
  /** Whether the quantity is a limit for the other quantities of its chart. */
  readonly isLimit: boolean;
}

interface ReadNumbers {
  readonly gauges: Record<string, number>;
  readonly counters: Record<string, number>;
}

/** Returns the quantities of one chart, each made from the service's name, Holdfast's id, and a label. */
export function quantitiesInChart(
  chart: string,
  kind: { readonly counts?: boolean; readonly unit?: Quantity['unit']; readonly isLimit?: boolean },
  rows: readonly (readonly [theirs: string, id: string, words: string])[],
): ReportedQuantity[] {
  const { counts = false, unit = counts ? 'perSecond' : 'count', isLimit = false } = kind;
  return rows.map(([theirs, id, words]) => ({ id, words, unit, chart, theirs, counts, isLimit }));
}

/** Separates the quantities from the limits of the charts. */
export function buildCatalogue(reported: readonly ReportedQuantity[]): { readonly quantities: Quantity[]; readonly limits: Quantity[] } {
  const plain = ({ id, words, unit, chart }: ReportedQuantity): Quantity => ({ id, words, unit, chart });
  return {
    quantities: reported.filter(({ isLimit }) => !isLimit).map(plain),
    limits: reported.filter(({ isLimit }) => isLimit).map(plain),
  };
}

/**
 * Maximum number of limit lines in a chart. A chart with more limits shows none, because with hundreds of servers they would be unreadable.
 */
const MAX_LIMIT_LINES = 4;

/** Returns the limit lines of the charts from the last gauges. */
export function readLimits({ limits = [] }: Catalogue, gauges: MonitorReading['gauges']): MonitorLimit[] {
  return limits.flatMap(({ id, chart, words }) => {
    const lines = Object.entries(gauges).flatMap(([key, value]): MonitorLimit[] => {
      const { id: read, instance } = keyParts(key);
      if (read !== id) return [];
      return [instance === null ? { chart, value, words } : { chart, value, words: `${words} of ${instance}`, instance }];
    });
    return lines.length > MAX_LIMIT_LINES ? [] : lines;
  });
}

/** Returns the known values under Holdfast's ids, for one instance if there are several. Leaves out values that `valueOf` does not know. */
export function readNumbers(
  reported: readonly ReportedQuantity[],
  valueOf: (theirs: string) => number | null | undefined,
  instance: string | null = null,
): ReadNumbers {
  const read: ReadNumbers = { gauges: {}, counters: {} };
  for (const { theirs, id, counts } of reported) {
    const value = valueOf(theirs);
    if (value !== null && value !== undefined)
      setOwn(counts ? read.counters : read.gauges, instance === null ? id : keyOf(id, instance), value);
  }
  return read;
}

/** Parses a decimal number; returns null for anything else, including infinity. */
export function numberOf(text: string | undefined): number | null {
  if (text === undefined || !/^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text.trim())) return null;
  const number = Number(text);
  return Number.isFinite(number) ? number : null;
}

/** Rows of name and number from a database, without other values. */
export type NamedValues = ReadonlyMap<string, number>;

/** Reads the rows of a database client. Names are case-insensitive. */
export function namedValues(rows: readonly (readonly [name: unknown, value: unknown])[]): NamedValues {
  const values = new Map<string, number>();
  for (const [name, value] of rows) {
    const number = typeof value === 'number' ? value : numberOf(value === null || value === undefined ? '' : String(value));
    if (number !== null && Number.isFinite(number)) values.set(String(name).toLowerCase(), number);
  }
  return values;
}
