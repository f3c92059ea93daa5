/** Lines of a CSV file (RFC 4180). */
export function csvLines(rows: readonly (readonly (number | string | null)[])[]): string {
  return rows.map((row) => `${row.map(csvField).join(',')}\r\n`).join('');
}

/** A field of a CSV line. Names come from outside, so it never starts what a spreadsheet would take for a formula. */
export function csvField(value: number | string | null): string {
  if (value === null) return '';
  if (typeof value === 'number') return String(value);
  const harmless = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
