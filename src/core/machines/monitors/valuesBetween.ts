import { getOwn, setOwn } from '#core/base/ownMembers.ts';
import { type Catalogue, type CounterShare, keyOf, keyParts, type TimedReading } from './result.ts';

/** Limit per monitor and run: cores, processes and containers of a machine, or servers behind a proxy. */
export const MAX_INSTANCES = 1_000;
const MAX_NAME_LENGTH = 200;

/** The known instances of a monitor. The limit protects charts, store and memory from a service that invents new ones every second. */
export class KnownInstances {
  private readonly known = new Set<string>();

  /** Returns the values of known instances, and adds new ones up to the limit. */
  admitted(values: Readonly<Record<string, number>>): Record<string, number> {
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
 * Returns the values between two readings: gauges at the end, growth of counters per second, and shares of counters. A counter that fell was reset by a
 * restart, so its growth is unknown and left out. Values outside the catalogue and values that are not finite are left out. Without an earlier reading only
 * gauges are known.
 */
export function valuesBetween(
  before: TimedReading | null,
  after: TimedReading,
  { quantities, shares = [] }: Catalogue,
): Record<string, number> {
  const known = new Set(quantities.map(({ id }) => id));
  const values: Record<string, number> = {};
  const keep = (key: string, value: number): void => {
    if (Number.isFinite(value) && known.has(keyParts(key).id)) setOwn(values, key, value);
  };
  for (const [key, value] of Object.entries(after.gauges)) keep(key, value);
  if (before === null || after.atMs <= before.atMs) return values;
  const growth = growthBetween(before.counters, after.counters);
  const seconds = (after.atMs - before.atMs) / 1_000;
  for (const [key, grown] of growth) keep(key, grown / seconds);
  for (const share of shares) for (const [key, value] of listShares(share, growth)) keep(key, value);
  return values;
}

function growthBetween(before: TimedReading['counters'], after: TimedReading['counters']): Map<string, number> {
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
