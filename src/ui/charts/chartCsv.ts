import type { ChartData, Unit } from '#core/presentation/charts/types.ts';

const UNITS: Readonly<Record<Unit, string>> = {
  perSecond: '1/s',
  bytesPerSecond: 'B/s',
  ms: 'ms',
  count: '',
  share: '0 to 1',
  bytes: 'B',
  cores: 'cores',
};

/** All points of a chart, not only the drawn ones, as RFC 4180 CSV. What is not known is an empty field. */
export function chartCsv({ spans, series }: ChartData, unit: Unit, startedAt: string | null): string {
  const suffix = UNITS[unit] === '' ? '' : ` (${UNITS[unit]})`;
  const head = ['second', 'width (s)', 'from', ...series.map(({ name }) => `${name}${suffix}`)];
  const begin = startedAt === null ? null : Date.parse(startedAt);
  const lines = spans.map(({ second, width }, index) => [
    String(second),
    String(width),
    begin === null ? '' : new Date(begin + second * 1_000).toISOString(),
    ...series.map(({ values }) => String(values[index] ?? '')),
  ]);
  return [head, ...lines].map((fields) => `${fields.map(quoted).join(',')}\r\n`).join('');
}

function quoted(field: string): string {
  // A spreadsheet would run a cell that begins like a formula.
  const safe = /^[=+\-@\t\r]/.test(field) && Number.isNaN(Number(field)) ? `'${field}` : field;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
