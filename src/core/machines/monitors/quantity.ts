import { z } from 'zod';
import { formatBytes, formatCount, formatMs, formatNumber, formatPercent, NOT_KNOWN } from '#core/base/units.ts';

const QUANTITY_UNITS = ['share', 'count', 'perSecond', 'bytes', 'bytesPerSecond', 'ms', 'cores'] as const;

/**
 * Something that is read once a second. Values of one quantity lie under its id; where there are several of it (cores, processes,
 * containers, backends), under `id:INSTANCE`. `share` is 0 to 1; `cores` counts processors that are kept busy (2.5).
 */
export const quantitySchema = z.strictObject({
  /** `group.what`, without a colon: `cpu.used`, `nginx.requests`. */
  id: z.string(),
  /** As it stands beside its line; an instance is named before it: "in use", "requests". */
  words: z.string(),
  unit: z.enum(QUANTITY_UNITS),
  /** Title of the chart that it is drawn in, with all quantities that name the same: "Processor". They have one unit. */
  chart: z.string(),
  /** What becomes of several values when a long run is folded: left out, their mean by time. */
  fold: z.enum(['mean', 'highest', 'lowest']).optional(),
});
export type Quantity = z.infer<typeof quantitySchema>;

/** A quantity that follows from counters: what they grew by, one part of the whole. Not known while the whole stands still. */
export interface CounterShare {
  /** Id of the quantity, of unit `share`. */
  readonly id: string;
  readonly part: readonly string[];
  readonly whole: readonly string[];
}

/** What a kind of monitor can tell, in the order in which charts show it. */
export interface Catalogue {
  readonly quantities: readonly Quantity[];
  readonly shares?: readonly CounterShare[];
  /** Gauges that are lines across their charts and no values. */
  readonly limits?: readonly Quantity[];
}

/** The two parts of a value's key; `instance` is null where there is only one. */
export function keyParts(key: string): { readonly id: string; readonly instance: string | null } {
  const colon = key.indexOf(':');
  return colon < 0 ? { id: key, instance: null } : { id: key.slice(0, colon), instance: key.slice(colon + 1) };
}

export function keyOf(id: string, instance: string): string {
  return `${id}:${instance}`;
}

/** A value of a monitor as people read it. */
export function formatQuantity(value: number | null, unit: Quantity['unit']): string {
  if (value === null) return NOT_KNOWN;
  switch (unit) {
    case 'share':
      return formatPercent(value);
    case 'count':
      return Number.isInteger(value) ? formatCount(value) : formatNumber(value);
    case 'perSecond':
      return `${formatNumber(value)}/s`;
    case 'bytes':
      return formatBytes(value);
    case 'bytesPerSecond':
      return `${formatBytes(value)}/s`;
    case 'ms':
      return formatMs(value);
    case 'cores':
      return value === 1 ? '1 core' : `${formatNumber(value)} cores`;
    default:
      return unit satisfies never;
  }
}

/** "eth0: in", "in use", "nginx". */
export function valueWords(key: string, { words }: Quantity): string {
  const { instance } = keyParts(key);
  if (instance === null) return words;
  return words === '' ? instance : `${instance}: ${words}`;
}

/**
 * What was read at one instant, by key (see `Quantity`). `gauges` stand for themselves. `counters` only grow, and become what they
 * grew by in a second; a counter of seconds of processor time so becomes cores. What could not be read is left out, never 0.
 */
export interface MonitorReading {
  readonly gauges: Readonly<Record<string, number>>;
  readonly counters: Readonly<Record<string, number>>;
}

/** A reading with its instant, in milliseconds of any clock that runs evenly. */
export interface TimedReading extends MonitorReading {
  readonly atMs: number;
}
