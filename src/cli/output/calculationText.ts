import { type Calculation, formatFigure } from '#core/calculators/calculator.ts';
import { FINDING_WORDS } from '#core/presentation/document/words.ts';

/** The answer first, then the table with its figures at the end of their columns, then what to know. */
export function calculationText({ sentence, table, notes }: Calculation): string {
  const rows = [
    ['', ...table.columns],
    ...table.rows.map(({ label, kind, values }) => [label, ...values.map((value) => formatFigure(kind, value))]),
  ];
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
  const said = notes.map(({ level, text }) => `${FINDING_WORDS[level]}: ${text}`);
  return `${[sentence, '', table.caption, ...lines, ...(said.length > 0 ? ['', ...said] : [])].join('\n')}\n`;
}
