import { formatSeconds } from '#core/base/units.ts';
import type { ChartData, Span, Unit } from '#core/presentation/charts/types.ts';
import { formatSpanStart, formatValue } from '#core/presentation/charts/units.ts';
import { words } from '../words/words.ts';

/** Returns the time of day at a second of a run, in the locale's format; empty if the start is unknown. */
export function clockTime(startedAt: string | null, second: number, locale?: string): string {
  if (startedAt === null) return '';
  const moment = new Date(Date.parse(startedAt) + second * 1_000);
  return createClockFormat(locale).format(moment);
}

const clockFormats = new Map<string | undefined, Intl.DateTimeFormat>();

/** Returns the formatter for a locale. Formatters are cached, because tables format hundreds of times. */
function createClockFormat(locale: string | undefined): Intl.DateTimeFormat {
  const made = clockFormats.get(locale) ?? new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit', second: '2-digit' });
  clockFormats.set(locale, made);
  return made;
}

/** Returns the time of a span, both since the start and by the clock. */
export function momentText(span: Span, startedAt: string | null): string {
  const start = formatSpanStart(span);
  return words.charts.at(span.width > 1 ? words.charts.spanOf(start, formatSeconds(span.width)) : start, clockTime(startedAt, span.second));
}

/** Returns the values of a span as a sentence for screen readers. */
export function valuesAt({ spans, series }: ChartData, index: number, unit: Unit, startedAt: string | null): string {
  const span = spans[index];
  if (span === undefined) return words.charts.noData;
  const values = series.map(({ name, values: all }) => words.charts.value(name, formatValue(all[index] ?? null, unit)));
  return `${momentText(span, startedAt)}: ${values.join(', ')}`;
}
