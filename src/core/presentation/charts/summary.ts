import { chartNames } from './names.ts';
import type { ChartData, Unit } from './types.ts';
import { formatValue } from './units.ts';

/** What the series of a chart do, in a sentence for each: for a reader who does not see it, and for a text without pictures. */
export function chartSummary({ series }: Pick<ChartData, 'series'>, unit: Unit): string {
  return series.map(({ name, values }) => summaryOf(name, values, unit)).join(' ');
}

function summaryOf(name: string, values: readonly (number | null)[], unit: Unit): string {
  const known = values.filter((value) => value !== null);
  if (known.length === 0) return `${chartNames.value(name, chartNames.noData)}.`;
  const least = known.reduce((a, b) => Math.min(a, b));
  const most = known.reduce((a, b) => Math.max(a, b));
  return chartNames.summary(name, formatValue(least, unit), formatValue(most, unit));
}
