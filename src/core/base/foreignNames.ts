import { addCount, type Counts, mergeCounts } from './counts.ts';
import { flatCopy } from './text.ts';
import { setOwn } from './ownMembers.ts';

/**
 * Names that a server makes up (of itself, of where it redirects to, of what a page links to) may be new in every answer. Records by them hold at most MOST_NAMES;
 * what belongs to any other is counted under OTHERS, so that sums stay exact: see “Names” in docs/method.md.
 */
export const MOST_NAMES = 200;
export const OTHERS = 'others';

/**
 * A text of somebody else as a name: of at most `longest` characters, without those that cannot be seen or change how others are read. `__proto__` gets brackets: many a reader of JSON,
 * zod among them, drops a member of that name.
 */
export function shortName(text: string, longest: number): string {
  // What no name can be made of is not looked at: this is asked once for each new name.
  const seen = text
    .slice(0, 4 * longest)
    .toWellFormed()
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .trim();
  if (seen === '__proto__') return '(__proto__)';
  return flatCopy(seen.length > longest ? `${seen.slice(0, longest - 1)}…` : seen);
}

/** Counts under a name where it is known or there is room for it: the first names are kept. */
export function addName(counts: Counts, name: string, count = 1): void {
  const isKept = Object.hasOwn(counts, name) || Object.keys(counts).length < MOST_NAMES;
  addCount(counts, isKept ? name : OTHERS, count);
}

/** Adds all counts of `from` to those of `into`, of which the names with the largest counts are kept. */
export function mergeNames(into: Counts, from: Readonly<Counts>): void {
  mergeCounts(into, from);
  keepLargestCounts(into);
}

/** Counts by name, added up: of the `most` most frequent names, and of all others together. */
export function addNames(some: readonly Readonly<Counts>[], most = MOST_NAMES): Counts {
  const sum: Counts = {};
  for (const counts of some) mergeCounts(sum, counts);
  keepLargestCounts(sum, most);
  return sum;
}

function keepLargestCounts(counts: Counts, most = MOST_NAMES): void {
  keepLargest(
    counts,
    (count) => count,
    (all) => all.reduce((sum, count) => sum + count, 0),
    most,
  );
}

/** Leaves the names with the largest values in a record, of equal values those that come first in the order of code units; what the rest held is joined under OTHERS. */
export function keepLargest<Value>(
  record: Record<string, Value>,
  sizeOf: (value: Value) => number,
  join: (values: readonly Value[]) => Value,
  most = MOST_NAMES,
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
