import { comparisonTitle, dissimilarityWords, pairTable } from '#core/comparison/words.ts';
import type { Comparison } from '#core/comparison/schema.ts';

/** Columns side by side, each as wide as its widest cell; the last one is not padded. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  return rows
    .map((row) => `${row.map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0))).join('  ')}\n`)
    .join('');
}

/** A comparison for a terminal: each answer first, with what stands behind it, then the figures and what else is not the same. */
export function comparisonText(comparison: Comparison): string {
  const sections = [
    `${comparisonTitle(comparison)}\n`,
    ...comparison.pairs.flatMap((pair) => [
      [pair.sentence, ...pair.reasons.map((reason) => `  - ${reason}`)].map((line) => `${line}\n`).join(''),
      textTable(pairTable(comparison, pair)),
    ]),
    comparison.dissimilar.length === 0
      ? ''
      : ['What is not the same:', ...comparison.dissimilar.map((one) => `  - ${dissimilarityWords(one)}`)]
          .map((line) => `${line}\n`)
          .join(''),
  ];
  return sections.filter((section) => section !== '').join('\n');
}
