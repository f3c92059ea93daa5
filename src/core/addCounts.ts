/** Counts by name, added up. */
export function addCounts(some: readonly Readonly<Record<string, number>>[]): Record<string, number> {
  const sum = new Map<string, number>();
  for (const counts of some) for (const [name, count] of Object.entries(counts)) sum.set(name, (sum.get(name) ?? 0) + count);
  return Object.fromEntries(sum);
}
