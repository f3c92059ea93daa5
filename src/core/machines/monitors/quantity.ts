import { z } from 'zod';

export const QUANTITY_UNITS = ['share', 'count', 'perSecond', 'bytes', 'bytesPerSecond', 'ms', 'cores'] as const;

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
