import type { Difference } from '#core/series/result.ts';

/** More sentences than this are not read before what matters is lost among them. */
export const MOST_OPEN = 6;

interface FoldedDifferences {
  readonly open: readonly Difference[];
  /** What may be chance, where there is much of it. */
  readonly folded: readonly Difference[];
}

/** Which differences of a series stand open: all where they are few, else those alone that are no chance. */
export function foldedDifferences(differences: readonly Difference[]): FoldedDifferences {
  if (differences.length <= MOST_OPEN) return { open: differences, folded: [] };
  const isReal = ({ judgement }: Difference): boolean => judgement === 'differs';
  return { open: differences.filter(isReal), folded: differences.filter((one) => !isReal(one)) };
}
