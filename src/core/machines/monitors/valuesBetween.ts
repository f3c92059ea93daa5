import { getOwn, setOwn } from '#core/base/ownMembers.ts';
import { type Catalogue, type CounterShare, keyOf, keyParts, type TimedReading } from './quantity.ts';

/** Of one monitor in one run: the cores, processes and containers of a machine, or the servers behind a proxy. */
export const MOST_INSTANCES = 1_000;
const LONGEST_NAME = 200;

/** Which instances a monitor has told of. Who makes up new ones every second would otherwise fill charts, store and memory with their names. */
export class KnownInstances {
  private readonly known = new Set<string>();

  /** The values of instances that are known, or for which there is room. */
  admitted(values: Readonly<Record<string, number>>): Record<string, number> {
    return Object.fromEntries(Object.entries(values).filter(([key]) => this.admits(keyParts(key).instance)));
  }

  private admits(instance: string | null): boolean {
    if (instance === null || this.known.has(instance)) return true;
    if (instance.length > LONGEST_NAME || this.known.size >= MOST_INSTANCES) return false;
    this.known.add(instance);
    return true;
  }
}

/**
 * The values of the time between two readings: gauges as they were at its end, counters as growth in a second, and shares of
 * counters. A counter that has become smaller was set back in between (its program was started anew): what it grew by is not known, and
 * left out. Numbers of which the catalogue knows nothing are left out too, and those that are not finite. Without an earlier reading only gauges are known.
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
  for (const share of shares) for (const [key, value] of sharesOf(share, growth)) keep(key, value);
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

/** One share for each instance whose counters are all known and have grown. */
function* sharesOf({ id, part, whole }: CounterShare, growth: ReadonlyMap<string, number>): Generator<[string, number]> {
  const instances = new Set([...growth.keys()].map(keyParts).flatMap((key) => (whole.includes(key.id) ? [key.instance] : [])));
  for (const instance of instances) {
    const keyed = (name: string): string => (instance === null ? name : keyOf(name, instance));
    const sum = (names: readonly string[]): number => names.reduce((total, name) => total + (growth.get(keyed(name)) ?? Number.NaN), 0);
    const all = sum(whole);
    if (all > 0) yield [keyed(id), sum(part) / all];
  }
}
