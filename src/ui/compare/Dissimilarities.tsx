import { dissimilarityTable } from '#core/presentation/document/comparisonTables.ts';
import type { Comparison } from '#core/comparison/schema.ts';
import { sideLetter } from '#core/comparison/words.ts';
import { Blocks } from '../components/Blocks.tsx';
import { words } from '../words/words.ts';

/** Table of every setting that differs between the runs, beside the figures that it may have changed. */
export function Dissimilarities({ comparison }: { readonly comparison: Comparison }) {
  if (comparison.dissimilar.length === 0) return <p>{words.compare.dissimilar.none}</p>;
  const sides = comparison.sides.map((_side, index) => words.compare.runs.sideName(sideLetter(index)));
  return <Blocks blocks={dissimilarityTable(comparison, sides)} />;
}
