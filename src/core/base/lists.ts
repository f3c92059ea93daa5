import { getOwn, setOwn } from './ownMembers.ts';

/** Stands in a list for an item that a condition left out. */
export type AbsentItem = false | null | undefined;

/** Returns the items that no condition left out: `withoutAbsent([a, isKnown && b])`. */
export function withoutAbsent<Item>(items: readonly (Item | AbsentItem)[]): Item[] {
  return items.filter((item): item is Item => item !== false && item !== null && item !== undefined);
}

/** Returns the sum of the numbers that `pick` returns for the items; 0 if there are no items. */
export function sumOf<Item>(items: readonly Item[], pick: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + pick(item), 0);
}

/** Counts by name; a missing name counts 0. */
export type Counts = Record<string, number>;

export function addCount(counts: Partial<Counts>, name: string, count = 1): void {
  setOwn<number | undefined>(counts, name, (getOwn(counts, name) ?? 0) + count);
}

/** Adds all counts of `from` to `into`. Does not change `from`. */
export function mergeCounts(into: Partial<Counts>, from: Readonly<Partial<Counts>>): void {
  for (const [name, count] of Object.entries(from)) if (count !== undefined) addCount(into, name, count);
}

/** Returns the sums of counts by name. */
export function addCounts(records: readonly Readonly<Counts>[]): Counts {
  const sum: Counts = {};
  for (const counts of records) mergeCounts(sum, counts);
  return sum;
}
