import { differenceTable, dissimilarityTable } from '#core/presentation/document/seriesTables.ts';
import { passageLines, WIDE_COLUMNS } from '#core/presentation/text/textTable.ts';
import { comparisonTitle } from '#core/comparison/words.ts';
import type { Comparison } from '#core/comparison/schema.ts';

/** Aligns columns to their widest cells; the last column is not padded. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  return rows
    .map((row) => `${row.map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0))).join('  ')}\n`)
    .join('');
}

/** Formats a comparison for a terminal: conclusions with their evidence, then figures, then other differences. */
export function comparisonText(comparison: Comparison): string {
  const { sides, pairs, dissimilar } = comparison;
  const names = sides.map(({ name }) => name);
  const sections = [
    [comparisonTitle(comparison)],
    ...pairs.flatMap((pair) => [
      [pair.sentence, ...pair.reasons.map((reason) => `  - ${reason}`)],
      passageLines(differenceTable('All figures', pair, names[pair.reference] ?? '', names[pair.side] ?? ''), WIDE_COLUMNS),
    ]),
    dissimilar.length === 0 ? [] : passageLines(dissimilarityTable(comparison, names), WIDE_COLUMNS),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${line}\n`).join(''))
    .join('\n');
}
