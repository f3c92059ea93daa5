import { addCount, type Counts, mergeCounts } from './lists.ts';
import { flatCopy } from './text.ts';
import { setOwn } from './ownMembers.ts';

/**
 * Foreign names (of servers, redirect targets, links) may be new in every response. A record by foreign names holds at most MAX_NAMES of
 * them. The others are counted under OTHERS, so that sums stay exact: see “Names” in docs/method.md.
 */
export const MAX_NAMES = 200;
export const OTHERS = 'others';

/**
 * Shortens foreign text to a name of at most `longest` characters, without invisible and direction-changing characters. `__proto__` gets
 * parentheses, because many JSON readers, including zod, drop a member of that name.
 */
export function truncateName(text: string, longest: number): string {
  // Limits the work per new name to the part that can be used.
  const seen = text
    .slice(0, 4 * longest)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .trim();
  if (seen === '__proto__') return '(__proto__)';
  return flatCopy(seen.length > longest ? `${seen.slice(0, longest - 1)}…` : seen);
}

/** Counts under a name if it is known or if there is room, and otherwise under OTHERS. The first names are kept. */
export function addName(counts: Counts, name: string, count = 1): void {
  const isKept = Object.hasOwn(counts, name) || Object.keys(counts).length < MAX_NAMES;
  addCount(counts, isKept ? name : OTHERS, count);
}

/** Adds all counts of `from` to `into`, and keeps the names with the largest counts. */
export function mergeNames(into: Counts, from: Readonly<Counts>): void {
  mergeCounts(into, from);
  keepLargestCounts(into);
}

/** Returns the sums of counts by name for the `most` most frequent names; others are counted under OTHERS. */
export function addNames(records: readonly Readonly<Counts>[], most = MAX_NAMES): Counts {
  const sum: Counts = {};
  for (const counts of records) mergeCounts(sum, counts);
  keepLargestCounts(sum, most);
  return sum;
}

function keepLargestCounts(counts: Counts, most = MAX_NAMES): void {
  keepLargest(
    counts,
    (count) => count,
    (all) => all.reduce((sum, count) => sum + count, 0),
    most,
  );
}

/** Keeps the names with the largest values in a record; ties are broken by code units. The rest is joined under OTHERS. */
export function keepLargest<Value>(
  record: Record<string, Value>,
  sizeOf: (value: Value) => number,
  join: (values: readonly Value[]) => Value,
  most = MAX_NAMES,
): void {
  const entries = Object.entries(record);
  if (entries.length <= most) return;
  const rest = entries
    .filter(([name]) => name !== OTHERS)
    .sort(([name, value], [other, others]) => sizeOf(others) - sizeOf(value) || (name < other ? -1 : 1))
    .slice(most);
  if (rest.length === 0) return;
  const joined = join([...entries.filter(([name]) => name === OTHERS), ...rest].map(([, value]) => value));
  for (const [name] of rest) delete record[name];
  setOwn(record, OTHERS, joined);
}
