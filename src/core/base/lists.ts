/** What a condition leaves in a list instead of an item. */
export type Absent = false | null | undefined;

/** Returns the items without those that a condition left out: `present([a, isKnown && b])`. */
export function present<Item>(items: readonly (Item | Absent)[]): Item[] {
  return items.filter((item): item is Item => item !== false && item !== null && item !== undefined);
}

/** Returns the sum of a number of each item; 0 without items. */
export function sumOf<Item>(items: readonly Item[], pick: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + pick(item), 0);
}
