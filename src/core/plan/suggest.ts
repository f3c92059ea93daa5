/**
 * The known name that a person probably meant: at most a third of its letters (at least 1) away, by letters inserted, left out,
 * replaced or swapped with their neighbour. null when nothing is near.
 */
export function nearestName(written: string, known: readonly string[]): string | null {
  if (written.length > 100) return null;
  let best: string | null = null;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const name of known) {
    const distance = editDistance(written.toLowerCase(), name.toLowerCase());
    if (distance <= Math.max(1, Math.floor(name.length / 3)) && distance < bestDistance) {
      best = name;
      bestDistance = distance;
    }
  }
  return best;
}

/** A sentence for a hint: "Did you mean “connections”?", else what is known there. */
export function didYouMean(written: string, known: readonly string[]): string {
  const nearest = nearestName(written, known);
  if (nearest !== null) return `Did you mean “${nearest}”?`;
  return known.length === 0 ? 'Leave it out.' : `Known here: ${known.join(', ')}.`;
}

/** Optimal string alignment distance (Damerau–Levenshtein without repeated edits of one place), row by row. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const row = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = at(previous, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1);
      let distance = Math.min(at(previous, j) + 1, at(row, j - 1) + 1, replaced);
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) distance = Math.min(distance, at(beforePrevious, j - 2) + 1);
      row.push(distance);
    }
    beforePrevious = previous;
    previous = row;
  }
  return at(previous, b.length);
}

function at(row: readonly number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY;
}
