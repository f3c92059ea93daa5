import { z } from 'zod';
import { formatBytes, formatCount, formatMs, formatNumber, formatPercent, UNKNOWN_TEXT } from '#core/base/units.ts';
import { getOwn, setOwn } from '#core/base/ownMembers.ts';

const QUANTITY_UNITS = ['share', 'count', 'perSecond', 'bytes', 'bytesPerSecond', 'ms', 'cores'] as const;

/**
 * A quantity that is read once a second. Its values have the key `id`, or `id:INSTANCE` if there are several (cores, processes, containers,
 * backends). `share` is 0 to 1; `cores` is the number of busy processors (2.5).
 */
const quantitySchema = z.strictObject({
  /** Id of the form `group.what`, without a colon: `cpu.used`, `nginx.requests`. */
  id: z.string(),
  /** Name beside the line of the quantity, after the instance: "in use", "requests". */
  words: z.string(),
  unit: z.enum(QUANTITY_UNITS),
  /** Title of the quantity's chart: "Processor". All quantities of a chart have the same unit. */
  chart: z.string(),
  /** How values are merged in long runs; the time-weighted mean if omitted. */
  fold: z.enum(['mean', 'highest', 'lowest']).optional(),
});
export type Quantity = z.infer<typeof quantitySchema>;

/** A quantity calculated from counters: growth of a part divided by growth of the whole. Unknown if the whole does not grow. */
interface CounterShare {
  /** Id of a quantity with unit `share`. */
  readonly id: string;
  readonly part: readonly string[];
  readonly whole: readonly string[];
}

/** Quantities of one kind of monitor, in display order. */
export interface Catalogue {
  readonly quantities: readonly Quantity[];
  readonly shares?: readonly CounterShare[];
  /** Gauges that charts draw as limit lines. */
  readonly limits?: readonly Quantity[];
}

/** Splits a key into quantity and instance; `instance` is null if there is only one. */
export function keyParts(key: string): { readonly id: string; readonly instance: string | null } {
  const colon = key.indexOf(':');
  return colon < 0 ? { id: key, instance: null } : { id: key.slice(0, colon), instance: key.slice(colon + 1) };
}

export function keyOf(id: string, instance: string): string {
  return `${id}:${instance}`;
}

const FORMATS: Readonly<Record<Quantity['unit'], (value: number) => string>> = {
  share: formatPercent,
  count: (value) => (Number.isInteger(value) ? formatCount(value) : formatNumber(value)),
  perSecond: (value) => `${formatNumber(value)}/s`,
  bytes: formatBytes,
  bytesPerSecond: (value) => `${formatBytes(value)}/s`,
  ms: formatMs,
  cores: (value) => (value === 1 ? '1 core' : `${formatNumber(value)} cores`),
};

export function formatQuantity(value: number | null, unit: Quantity['unit']): string {
  return value === null ? UNKNOWN_TEXT : FORMATS[unit](value);
}

/** Returns the name of a value: "eth0: in", "in use", "nginx". */
export function formatValueName(key: string, { words }: Quantity): string {
  const { instance } = keyParts(key);
  if (instance === null) return words;
  return words === '' ? instance : `${instance}: ${words}`;
}

/**
 * Values read at one time, by key (see `Quantity`). `gauges` are levels. `counters` only grow and become growth per second, so that seconds
 * of processor time become cores. Unknown values are left out, never 0.
 */
export interface MonitorReading {
  readonly gauges: Readonly<Record<string, number>>;
  readonly counters: Readonly<Record<string, number>>;
}

/** A reading with its time in milliseconds, on any steady clock. */
export interface TimedReading extends MonitorReading {
  readonly atMs: number;
}

/** `waiting`: there is no reading so far. `unavailable`: the monitor cannot be read. `lost`: it was readable before. */
export const MONITOR_STATES = ['waiting', 'watching', 'lost', 'unavailable', 'ended'] as const;

/** A limit line of a chart, such as total memory or the speed of a link. `instance` names the instance if there are several. */
const limitSchema = z.strictObject({ chart: z.string(), value: z.number(), words: z.string(), instance: z.string().optional() });
export type MonitorLimit = z.infer<typeof limitSchema>;

export const monitorInfoSchema = z.strictObject({
  /** Index among the monitors of the run, from 0. */
  number: z.int(),
  name: z.string(),
  kind: z.string(),
  /** Whether the monitored machine sends the load, responds to it, or lies in between. */
  role: z.enum(['generator', 'target', 'hop']),
  /** Host that is monitored, or through which the service is reached; null for this computer. */
  host: z.string().nullable(),
  quantities: z.array(quantitySchema),
  limits: z.array(limitSchema),
  state: z.enum(MONITOR_STATES),
  /** Reason why the monitor is unavailable or lost; null otherwise. */
  problem: z.string().nullable(),
  /** Error of the monitor's times on the time axis of the run, in ms; null if unknown. */
  errorMs: z.number().nullable(),
});
export type MonitorInfo = z.infer<typeof monitorInfoSchema>;

/** Values for the seconds [second, second + width) of a run, by key (see `Quantity`). Unknown values are left out. */
export const monitorPointSchema = z.strictObject({
  second: z.number(),
  width: z.number().positive(),
  values: z.record(z.string(), z.number()),
});
export type MonitorPoint = z.infer<typeof monitorPointSchema>;

/** All readings of a monitor in columns; `values` holds one number or null per point. */
export const monitorResultSchema = z.strictObject({
  ...monitorInfoSchema.shape,
  second: z.array(z.number()),
  width: z.array(z.number()),
  values: z.record(z.string(), z.array(z.number().nullable())),
});
export type MonitorResult = z.infer<typeof monitorResultSchema>;

/** Maximum number of instances per monitor and run: cores, processes and containers of a machine, or servers behind a proxy. */
export const MAX_INSTANCES = 1_000;
const MAX_NAME_LENGTH = 200;

/** The known instances of a monitor. The limit protects charts, store and memory from a service that reports new instances every second. */
export class KnownInstances {
  private readonly known = new Set<string>();

  /** Returns the values of known instances, and adds new ones up to the limit. */
  admitValues(values: Readonly<Record<string, number>>): Record<string, number> {
    return Object.fromEntries(Object.entries(values).filter(([key]) => this.admits(keyParts(key).instance)));
  }

  private admits(instance: string | null): boolean {
    if (instance === null || this.known.has(instance)) return true;
    if (instance.length > MAX_NAME_LENGTH || this.known.size >= MAX_INSTANCES) return false;
    this.known.add(instance);
    return true;
  }
}

/**
 * Returns the values between two readings: gauges at the end, growth of counters per second, and shares of counters. A counter that fell
 * was reset by a restart, so its growth is unknown and left out. Values outside the catalogue and values that are not finite are left out.
 * Without an earlier reading, only gauges are known.
 */
export function collectValues(
  before: TimedReading | null,
  after: TimedReading,
  { quantities, shares = [] }: Catalogue,
): Record<string, number> {
  const quantityIds = new Set(quantities.map(({ id }) => id));
  const values: Record<string, number> = {};
  const keep = (key: string, value: number): void => {
    if (Number.isFinite(value) && quantityIds.has(keyParts(key).id)) setOwn(values, key, value);
  };
  for (const [key, value] of Object.entries(after.gauges)) keep(key, value);
  if (before === null || after.atMs <= before.atMs) return values;
  const growth = computeGrowth(before.counters, after.counters);
  const seconds = (after.atMs - before.atMs) / 1_000;
  for (const [key, grown] of growth) keep(key, grown / seconds);
  for (const share of shares) for (const [key, value] of listShares(share, growth)) keep(key, value);
  return values;
}

function computeGrowth(before: TimedReading['counters'], after: TimedReading['counters']): Map<string, number> {
  const growth = new Map<string, number>();
  for (const [key, value] of Object.entries(after)) {
    const earlier = getOwn(before, key);
    if (earlier !== undefined && value >= earlier) growth.set(key, value - earlier);
  }
  return growth;
}

/** Yields a share for each instance whose counters are all known and have grown. */
function* listShares({ id, part, whole }: CounterShare, growth: ReadonlyMap<string, number>): Generator<[string, number]> {
  const instances = new Set([...growth.keys()].map(keyParts).flatMap((key) => (whole.includes(key.id) ? [key.instance] : [])));
  for (const instance of instances) {
    const keyed = (name: string): string => (instance === null ? name : keyOf(name, instance));
    const sum = (names: readonly string[]): number => names.reduce((total, name) => total + (growth.get(keyed(name)) ?? Number.NaN), 0);
    const all = sum(whole);
    if (all > 0) yield [keyed(id), sum(part) / all];
  }
}
