import type { Capacity } from '#core/judgement/capacity/capacity.ts';
import { capacitySentences, scalingTable } from '#core/judgement/capacity/words.ts';

/** For a terminal: what can be told, then the levels that it was read from. Nothing where there is nothing to tell. */
export function capacityLinesOf(capacity: Capacity): string[] {
  const sentences = capacitySentences(capacity);
  if (sentences.length === 0) return [];
  return [
    'How much it can do',
    ...sentences.map((sentence) => `  ${sentence}`),
    ...capacity.sets.flatMap((one) => [...(one.set.name === '' ? [] : [`  ${one.set.name}`]), ...columns(scalingTable(one))]),
  ];
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_cell, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) => {
    const cells = row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)));
    return `  ${cells.join('  ').trimEnd()}`;
  });
}
