/**
 * Formats of numbers for people: measurements with 3 significant digits, exact counts, thousands separators by LOCALE, milliseconds below
 * one second, decimal kilobytes, shares in percent.
 */

/** Text for an unknown value, which is never shown as 0. */
export const UNKNOWN_TEXT = 'unknown';
/**
 * Text for plan figures that only a run can show. It is defined here because the first screen needs it, and describing a plan takes far
 * more code.
 */
export const UNKNOWN_BEFORE_RUN = 'unknown before the run';

/** The only language of the texts so far. */
const LOCALE = 'en-US';

// Cached, because a live view formats hundreds of numbers per second, and creating a formatter is far slower than using it. Created on
// demand, because the first one takes 25 ms.
const formatters = new Map<string, Intl.NumberFormat>();

function createFormatter(of: 'maximumFractionDigits' | 'maximumSignificantDigits', digits: number): Intl.NumberFormat {
  const key = `${of} ${digits}`;
  const made = formatters.get(key) ?? new Intl.NumberFormat(LOCALE, { [of]: digits });
  formatters.set(key, made);
  return made;
}

/** Formats an exact whole number: 10084 → "10,084". */
export function formatCount(value: number | null): string {
  return value === null ? UNKNOWN_TEXT : createFormatter('maximumFractionDigits', 0).format(value);
}

/** Formats a count with its noun: "1 thread", "1,200 threads". */
export function countOf(count: number, one: string): string {
  return `${formatCount(count)} ${one}${count === 1 ? '' : 's'}`;
}

/** Formats a part of a whole for a sentence: “12 of 195”, or “all 195”. Figures and table cells show both numbers instead. */
export function formatPart(count: number, whole: number): string {
  return count === whole && whole > 1 ? `all ${formatCount(whole)}` : `${formatCount(count)} of ${formatCount(whole)}`;
}

/** Formats a measurement with 3 significant digits: 981.73 → "982", 0.01234 → "0.0123", 41234 → "41,200". */
export function formatNumber(value: number | null): string {
  if (value === null) return UNKNOWN_TEXT;
  return createFormatter('maximumSignificantDigits', 3).format(value);
}

/** A time in milliseconds; "never" if the percentile falls on requests without a (successful) response; null if unknown. */
export type TimeMs = number | 'never' | null;

/** Formats milliseconds: "49 ms", "1.5 s", "never", "unknown". From two minutes on like {@link formatSeconds}. */
export function formatMs(value: TimeMs): string {
  if (value === null) return UNKNOWN_TEXT;
  if (value === 'never') return 'never';
  if (roundTo3(Math.abs(value)) < 1_000) return `${formatNumber(value)} ms`;
  return formatSeconds(value / 1_000);
}

/** Formats seconds: "0.5 s", "90 s", "2 min 40 s", "1 h 30 min". */
export function formatSeconds(value: number | null): string {
  if (value === null) return UNKNOWN_TEXT;
  if (value < 120) return `${formatNumber(value)} s`;
  const whole = Math.round(value);
  const hours = Math.floor(whole / 3_600);
  const minutes = Math.floor((whole % 3_600) / 60);
  const seconds = whole % 60;
  const parts = [hours > 0 ? `${formatCount(hours)} h` : '', minutes > 0 ? `${minutes} min` : '', seconds > 0 ? `${seconds} s` : ''];
  return parts.filter((part) => part !== '').join(' ');
}

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** Formats bytes in decimal units: 6844 → "6.84 kB". */
export function formatBytes(value: number | null): string {
  if (value === null) return UNKNOWN_TEXT;
  let scaled = value;
  let unit = 0;
  while (roundTo3(Math.abs(scaled)) >= 1_000 && unit < BYTE_UNITS.length - 1) {
    scaled /= 1_000;
    unit += 1;
  }
  return `${formatNumber(scaled)} ${BYTE_UNITS[unit]}`;
}

/** Formats a rate: "982/s"; with a name "982 responses/s". */
export function formatRate(perSecond: number | null, what = ''): string {
  if (perSecond === null) return UNKNOWN_TEXT;
  return what === '' ? `${formatNumber(perSecond)}/s` : `${formatNumber(perSecond)} ${what}/s`;
}

/** Formats megabits per second (10^6): 93.34 → "93.3 Mbit/s". */
export function formatMegabits(megabits: number | null): string {
  return megabits === null ? UNKNOWN_TEXT : `${formatNumber(megabits)} Mbit/s`;
}

/** Formats a share from 0 to 1 in percent with 3 significant digits: "0.167 %", "95 %", "0 %". */
export function formatShare(share: number | null): string {
  return formatPercent(share);
}

const MAX_DECIMALS = 6;

/** Formats a share from 0 to 1 in percent with `digits` significant digits; less than all is never "100 %". */
export function formatPercent(share: number | null, digits = 3): string {
  if (share === null) return UNKNOWN_TEXT;
  const percent = share * 100;
  // Close to 100 %: enough digits to show the difference.
  const isNearlyAll = percent < 100 && percent > 99.9;
  const formatter = isNearlyAll
    ? createFormatter('maximumFractionDigits', Math.min(MAX_DECIMALS, -Math.floor(Math.log10(100 - percent))))
    : createFormatter('maximumSignificantDigits', digits);
  return `${formatter.format(percent)} %`;
}

/** Formats a percentile with all its digits: 95 → "95 %", 99.999 → "99.999 %". */
export function formatPercentile(percentile: number): string {
  return `${createFormatter('maximumFractionDigits', MAX_DECIMALS).format(percentile)} %`;
}

/** Rounds to 3 significant digits, for values that are shown or exported as measurements. */
export function roundTo3(value: number): number {
  return Number(value.toPrecision(3));
}

export const ENTER_WHOLE_NUMBER = 'Enter a whole number.';

/** Remedy for an input that is not a whole number up to a formatted maximum. */
export function enterWholeNumberUpTo(most: string): string {
  return `Enter a whole number from 1 to ${most}.`;
}

export const GOOD_PER_SECOND = 'successful responses a second';

export function isOrAre(count: number): 'is' | 'are' {
  return count === 1 ? 'is' : 'are';
}
