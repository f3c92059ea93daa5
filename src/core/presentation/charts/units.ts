import { formatBytes, formatCount, formatMs, formatNumber, formatPercent, UNKNOWN_TEXT } from '#core/base/units.ts';
import type { Span, Unit } from './types.ts';

const formatAmount = (value: number): string => (Number.isInteger(value) ? formatCount(value) : formatNumber(value));

const VALUE_FORMATS: Readonly<Record<Unit, (value: number) => string>> = {
  perSecond: (value) => `${formatAmount(value)}/s`,
  bytesPerSecond: (value) => `${formatBytes(value)}/s`,
  ms: formatMs,
  count: formatAmount,
  share: formatPercent,
  bytes: formatBytes,
  cores: formatNumber,
};

/** Formats a value for tables and screen readers. Counts of whole seconds stay exact. */
export function formatValue(value: number | null, unit: Unit): string {
  return value === null ? UNKNOWN_TEXT : VALUE_FORMATS[unit](value);
}

const formatMillions = (value: number): string => (value >= 1_000_000 ? `${formatNumber(value / 1_000_000)} M` : formatNumber(value));

const TICK_FORMATS: Readonly<Record<Unit, (value: number) => string>> = {
  ...VALUE_FORMATS,
  perSecond: formatMillions,
  count: formatMillions,
  bytesPerSecond: formatBytes,
  ms: (value) => (value === 0 ? '0' : formatMs(value)),
};

/** Formats a tick label; the unit is in the title of the axis. */
export function formatTick(value: number, unit: Unit): string {
  return TICK_FORMATS[unit](value);
}

/** Formats the start of a span of time. If the span is shorter than a second, the start has tenths: "0:05.3". */
export function formatSpanStart({ second, width }: Span): string {
  const tenths = Math.floor(second * 10 + 1e-6);
  return width < 1 ? `${formatElapsed(tenths / 10)}.${tenths % 10}` : formatElapsed(second);
}

/** Formats the time since the start of a run: "0:05", "12:40", "1:02:05". */
export function formatElapsed(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds));
  const hours = Math.floor(whole / 3_600);
  const minutes = Math.floor((whole % 3_600) / 60);
  const pad = (part: number): string => String(part).padStart(2, '0');
  return hours > 0 ? `${hours}:${pad(minutes)}:${pad(whole % 60)}` : `${minutes}:${pad(whole % 60)}`;
}
