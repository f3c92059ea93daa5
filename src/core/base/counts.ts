import { getOwn, setOwn } from './ownMembers.ts';

/** Counts by names; what is not there is 0. */
export type Counts = Record<string, number>;

export function addCount(counts: Partial<Counts>, name: string, count = 1): void {
  setOwn<number | undefined>(counts, name, (getOwn(counts, name) ?? 0) + count);
}

/** Adds all counts of `from` to those of `into`. `from` is left as it is. */
export function mergeCounts(into: Partial<Counts>, from: Readonly<Partial<Counts>>): void {
  for (const [name, count] of Object.entries(from)) if (count !== undefined) addCount(into, name, count);
}

/** Counts by name, added up. */
export function addCounts(some: readonly Readonly<Counts>[]): Counts {
  const sum: Counts = {};
  for (const counts of some) mergeCounts(sum, counts);
  return sum;
}
