/**
 * Numbers as people read them: measurements with 3 significant digits, counts exact, thousands by LOCALE, milliseconds below
 * one second, decimal kilobytes, shares in percent. An unknown value reads "unknown", never 0.
 */
export const NOT_KNOWN = 'unknown';

/** The one language of the texts for now; every text would have to be translated with it. */
const LOCALE = 'en-US';

// Made once: a live view formats hundreds of numbers a second, and making a formatter takes far longer than using it. The first takes a fortieth of a second,
// which a process that formats none does without.
const formatters = new Map<string, Intl.NumberFormat>();

/** The formatter of so many digits at most: behind the point, or significant ones. */
function formatterOf(of: 'maximumFractionDigits' | 'maximumSignificantDigits', digits: number): Intl.NumberFormat {
  const key = `${of} ${digits}`;
  const made = formatters.get(key) ?? new Intl.NumberFormat(LOCALE, { [of]: digits });
  formatters.set(key, made);
  return made;
}

/** An exact whole number: 10084 → "10,084". */
export function formatCount(value: number | null): string {
  return value === null ? NOT_KNOWN : formatterOf('maximumFractionDigits', 0).format(value);
}

/** "1 thread", "1,200 threads". */
export function many(count: number, one: string): string {
  return `${formatCount(count)} ${one}${count === 1 ? '' : 's'}`;
}

/** How many of how many, in a sentence: “12 of 195”, and “all 195” where it is the whole. Figures and cells of tables show both numbers. */
export function formatPart(count: number, whole: number): string {
  return count === whole && whole > 1 ? `all ${formatCount(whole)}` : `${formatCount(count)} of ${formatCount(whole)}`;
}

/** A measurement with 3 significant digits: 981.73 → "982", 0.01234 → "0.0123", 41234 → "41,200". */
export function formatNumber(value: number | null): string {
  if (value === null) return NOT_KNOWN;
  return formatterOf('maximumSignificantDigits', 3).format(value);
}

/** A time in milliseconds; "never" when the percentile falls on requests that got no (successful) response; null when it is unknown. */
export type TimeMs = number | 'never' | null;

/** A time given in milliseconds: "49 ms", "1.5 s", "never", "unknown". From two minutes on as {@link formatSeconds}. */
export function formatMs(value: TimeMs): string {
  if (value === null) return NOT_KNOWN;
  if (value === 'never') return 'never';
  if (roundTo3(Math.abs(value)) < 1_000) return `${formatNumber(value)} ms`;
  return formatSeconds(value / 1_000);
}

/** A length of time given in seconds: "0.5 s", "90 s", "2 min 40 s", "1 h 30 min". */
export function formatSeconds(value: number | null): string {
  if (value === null) return NOT_KNOWN;
  if (value < 120) return `${formatNumber(value)} s`;
  const whole = Math.round(value);
  const hours = Math.floor(whole / 3_600);
  const minutes = Math.floor((whole % 3_600) / 60);
  const seconds = whole % 60;
  const parts = [hours > 0 ? `${formatCount(hours)} h` : '', minutes > 0 ? `${minutes} min` : '', seconds > 0 ? `${seconds} s` : ''];
  return parts.filter((part) => part !== '').join(' ');
}

const BYTE_UNITS = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'] as const;

/** An amount of data, decimal: 6844 → "6.84 kB". */
export function formatBytes(value: number | null): string {
  if (value === null) return NOT_KNOWN;
  let scaled = value;
  let unit = 0;
  while (roundTo3(Math.abs(scaled)) >= 1_000 && unit < BYTE_UNITS.length - 1) {
    scaled /= 1_000;
    unit += 1;
  }
  return `${formatNumber(scaled)} ${BYTE_UNITS[unit]}`;
}

/** A rate: "982/s". With a name of what is counted: "982 responses/s". */
export function formatRate(perSecond: number | null, what = ''): string {
  if (perSecond === null) return NOT_KNOWN;
  return what === '' ? `${formatNumber(perSecond)}/s` : `${formatNumber(perSecond)} ${what}/s`;
}

/** Bits a second in 10^6: 93.34 → "93.3 Mbit/s". */
export function formatMegabits(megabits: number | null): string {
  return megabits === null ? NOT_KNOWN : `${formatNumber(megabits)} Mbit/s`;
}

/** A share from 0 to 1 in percent with 3 significant digits: "0.167 %", "95 %", "0 %". */
export function formatShare(share: number | null): string {
  return formatPercent(share);
}

const MOST_DECIMALS = 6;

/** A share from 0 to 1 in percent with 3 significant digits (or as many as asked for); what is not all never reads "100 %". */
export function formatPercent(share: number | null, digits = 3): string {
  if (share === null) return NOT_KNOWN;
  const percent = share * 100;
  // Nearly all: as many digits as show what is missing.
  const isNearlyAll = percent < 100 && percent > 99.9;
  const formatter = isNearlyAll
    ? formatterOf('maximumFractionDigits', Math.min(MOST_DECIMALS, -Math.floor(Math.log10(100 - percent))))
    : formatterOf('maximumSignificantDigits', digits);
  return `${formatter.format(percent)} %`;
}

/** A percentile as the share that stays within it, with all its digits: 95 → "95 %", 99.999 → "99.999 %". */
export function formatPortion(percentile: number): string {
  return `${formatterOf('maximumFractionDigits', MOST_DECIMALS).format(percentile)} %`;
}

/** The given number to 3 significant digits, as a number; for values that are shown or exported as measurements. */
export function roundTo3(value: number): number {
  return Number(value.toPrecision(3));
}

/** What to do where something else stands than a whole number. */
export const WRITE_WHOLE_NUMBER = 'Enter a whole number.';

/** The same where there is a most, which is given as people read it. */
export function writeWholeNumberTo(most: string): string {
  return `Enter a whole number from 1 to ${most}.`;
}

/** What {@link formatRate} counts where only successful responses count. */
export const GOOD_PER_SECOND = 'successful responses a second';

/** The verb that follows a count. */
export function isOrAre(count: number): 'is' | 'are' {
  return count === 1 ? 'is' : 'are';
}
