import { z } from 'zod';

/** A problem of a plan. `path` has the form `targets[0].url`. */
export const issueSchema = z.strictObject({
  level: z.enum(['error', 'warning']),
  /** Stable name of the kind of problem, e.g. `STAGE_NEEDS_ONE_END`. */
  code: z.string(),
  path: z.string(),
  message: z.string(),
  hint: z.string(),
});
export type Issue = z.infer<typeof issueSchema>;

export function error(code: string, path: string, message: string, hint: string): Issue {
  return { level: 'error', code, path, message, hint };
}

/** Maximum number of reported problems. A damaged file of 1 MB can have 100,000. */
export const MAX_ISSUES = 50;

/**
 * Returns the first {@link MAX_ISSUES} problems, and one that states the number of further ones. The further ones are counted in `all` if
 * `issues` has already been cut.
 */
export function limitIssues(issues: readonly Issue[], all = issues.length): Issue[] {
  if (all <= MAX_ISSUES) return [...issues];
  const rest = issues.slice(MAX_ISSUES);
  const more: Issue = {
    level: rest.length > 0 && rest.every(({ level }) => level === 'warning') ? 'warning' : 'error',
    code: 'MORE_ISSUES',
    path: '',
    message: `There are ${all - MAX_ISSUES} more problems.`,
    hint: 'Fix the problems above, then check again.',
  };
  return [...issues.slice(0, MAX_ISSUES), more];
}

/**
 * Returns the known name nearest to a misspelt one; null if none is near. Near means that at most a third of its letters (at least 1) are
 * inserted, omitted, replaced or swapped with a neighbour.
 */
export function findNearestName(written: string, knownNames: readonly string[]): string | null {
  if (written.length > 100) return null;
  let best: string | null = null;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const name of knownNames) {
    const distance = editDistance(written.toLowerCase(), name.toLowerCase());
    if (distance <= Math.max(1, Math.floor(name.length / 3)) && distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** Returns a hint: "Did you mean “connections”?", or else the known names. */
export function didYouMean(written: string, knownNames: readonly string[]): string {
  const nearest = findNearestName(written, knownNames);
  if (nearest !== null) return `Did you mean “${nearest}”?`;
  return knownNames.length === 0 ? 'Remove it.' : `Known here: ${knownNames.join(', ')}.`;
}

/** Optimal string alignment distance (Damerau–Levenshtein without repeated edits of one place), row by row. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = valueOrZero(previous, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let distance = Math.min(valueOrZero(previous, j) + 1, valueOrZero(row, j - 1) + 1, replaced);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        distance = Math.min(distance, valueOrZero(beforePrevious, j - 2) + 1);
      row.push(distance);
    }
    beforePrevious = previous;
    previous = row;
  }
  return valueOrZero(previous, b.length);
}

function valueOrZero(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
