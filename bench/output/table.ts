/** Returns a Markdown table with right-aligned numeric columns. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(asCell).join(' | ')} |`;
  const isNumeric = (cell: string): boolean => /^[\d.,×%+ –-]*(ms)?$/.test(cell);
  const rule = head.map((_, column) =>
    rows.every((row) => isNumeric(row[column] ?? '')) && rows.some((row) => row[column] !== '') ? '---:' : '---',
  );
  return [line(head), line(rule), ...rows.map(line)].join('\n');
}

/** Escapes a program's output, which may contain separators of cells or rows. */
function asCell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');
}

/** Returns a number with this many decimals, or a dash if the number is unknown. */
export function formatFigure(value: number | null, decimals: number): string {
  return value === null || !Number.isFinite(value) ? '–' : value.toFixed(decimals);
}

/** Formats a number like {@link formatFigure}, but with a sign. */
export function formatSigned(value: number | null, decimals: number): string {
  const text = formatFigure(value, decimals);
  return value !== null && Number(text) > 0 ? `+${text}` : text;
}
