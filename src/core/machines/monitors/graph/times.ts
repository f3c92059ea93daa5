const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** Returns the UTC offset of a time zone, in milliseconds, at a local time. */
export type Zone = (shownMs: number) => number;

/**
 * Parses a time zone such as `Z`, `UTC`, `GMT+2`, `+02:00`, `-0330` or `Europe/Berlin`. Returns null for anything else. Abbreviations such
 * as CEST are refused, because they are ambiguous: IST has three meanings.
 */
export function parseZone(text: string): Zone | null {
  const written = text.trim();
  if (/^(?:z|utc|gmt)$/i.test(written)) return () => 0;
  const [, sign, hours, minutes = '0'] = /^(?:utc|gmt)?\s*([+-])(\d{1,2}):?([0-5]\d)?$/i.exec(written) ?? [];
  if (hours !== undefined && Number(hours) <= 14) {
    const ahead = (sign === '-' ? -1 : 1) * (Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS);
    return () => ahead;
  }
  return /^[A-Za-z]+(?:\/[A-Za-z0-9_+-]+)+$/.test(written) ? placeZone(written) : null;
}

function placeZone(name: string): Zone | null {
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return null;
  }
  const offsetAt = (ms: number): number => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
    return shown - Math.floor(ms / 1_000) * 1_000;
  };
  // The second lookup corrects the offset on the day of a clock change.
  return (shownMs) => offsetAt(shownMs - offsetAt(shownMs));
}

export type DateOrder = 'day first' | 'month first';

export interface WrittenTime {
  /** Local time as if it were UTC, for both orders of day and month; null if the date does not exist. */
  readonly shownMs: Readonly<Record<DateOrder, number | null>>;
  /** Time zone in the text; null if there is none. */
  readonly zone: Zone | null;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const CLOCK_PATTERN = String.raw`(?<hour>\d{1,2}):(?<minute>[0-5]\d)(?::(?<second>[0-5]\d)(?<fraction>[.,]\d+)?)?(?:[\s\u202f]?(?<half>[AaPp])\.?[Mm]\.?)?`;
const ZONE_PATTERN = String.raw`(?:\s*(?<zone>Z|(?:UTC|GMT)?\s?[+-]\d{1,2}(?::?\d{2})?|UTC|GMT))?(?:\s*(?:\([^()]*\)|UTC))?`;
const TIME_END_PATTERN = String.raw`(?:[T ]|,\s?)\s*${CLOCK_PATTERN}${ZONE_PATTERN}$`;
const MONTH_NAME_PATTERN = '(?<month>[A-Za-z]{3})[a-z]*';

const TIME_PATTERNS = [
  // Matches 2014-04-25T10:00:00Z and 2014/04/25 10:00.
  new RegExp(String.raw`^(?<year>\d{4})[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})${TIME_END_PATTERN}`),
  // Matches 25.04.2014 10:00, 4/25/2014, and 10:00:00 AM.
  new RegExp(String.raw`^(?<first>\d{1,2})(?<dash>[-/.])(?<then>\d{1,2})\k<dash>(?<year>\d{4})${TIME_END_PATTERN}`),
  // Matches Fri, 25 Apr 2014 10:00:00 +0200.
  new RegExp(String.raw`^(?:[A-Za-z]{3,9},?\s)?(?<day>\d{1,2})[ -]${MONTH_NAME_PATTERN}[ -](?<year>\d{4})${TIME_END_PATTERN}`),
  // Matches Fri Apr 25 2014 10:00:00 GMT+0200 (Central European Summer Time), and Apr 25, 2014, 10:00:00 AM.
  new RegExp(String.raw`^(?:[A-Za-z]{3,9},?\s)?${MONTH_NAME_PATTERN}\s(?<day>\d{1,2}),?\s(?<year>\d{4})${TIME_END_PATTERN}`),
];

/**
 * Matches a Unix time in seconds, milliseconds, microseconds or nanoseconds. The number of digits shows which; it is valid for times from
 * 2001 to 2286.
 */
const EPOCH_PATTERN = /^(\d{10})(?:(\d{3})(\d{3})?(\d{3})?)?(?:\.(\d+))?$/;

/** Parses a date with a time of day in the formats of consoles, spreadsheets and programs. Returns null for anything else. */
export function parseTime(text: string): WrittenTime | null {
  const written = text.trim();
  const epoch = EPOCH_PATTERN.exec(written);
  if (epoch !== null) return { shownMs: readInAnyOrder(epochMs(epoch)), zone: () => 0 };
  for (const form of TIME_PATTERNS) {
    const parts = form.exec(written)?.groups;
    if (parts !== undefined) return readWrittenTime(parts);
  }
  return null;
}

function epochMs([, seconds, milliseconds = '000', micro = '', nano = '', fraction = '']: RegExpExecArray): number {
  // A fraction belongs to the unit of the integer part.
  const isSeconds = milliseconds === '000' && micro === '' && nano === '' && fraction !== '';
  return Number(seconds) * 1_000 + (isSeconds ? Number(`0.${fraction}`) * 1_000 : Number(milliseconds));
}

function readWrittenTime(parts: Readonly<Record<string, string | undefined>>): WrittenTime | null {
  const half = parts['half']?.toLowerCase();
  const written = Number(parts['hour']);
  if (written > (half === undefined ? 23 : 12) || (half !== undefined && written === 0)) return null;
  const hour = half === undefined ? written : (written % 12) + (half === 'p' ? 12 : 0);
  const fraction = Number(`0${(parts['fraction'] ?? '').replace(',', '.')}`);
  const clockMs = ((hour * 60 + Number(parts['minute'])) * 60 + Number(parts['second'] ?? 0) + fraction) * 1_000;
  const zone = parts['zone'] === undefined ? null : parseZone(parts['zone']);
  const year = Number(parts['year']);
  const readUtcTime = (month: number, day: number): number | null => {
    const midnightMs = dayMs(year, month, day);
    return midnightMs === null ? null : midnightMs + clockMs;
  };
  if (parts['first'] === undefined) {
    const month = parts['month'] ?? '';
    const shownMs = readUtcTime(/\d/.test(month) ? Number(month) : MONTHS.indexOf(month.toLowerCase()) + 1, Number(parts['day']));
    return shownMs === null ? null : { shownMs: readInAnyOrder(shownMs), zone };
  }
  const [first, then] = [Number(parts['first']), Number(parts['then'])];
  // Dates with dots always start with the day.
  const shownMs = { 'day first': readUtcTime(then, first), 'month first': parts['dash'] === '.' ? null : readUtcTime(first, then) };
  return shownMs['day first'] === null && shownMs['month first'] === null ? null : { shownMs, zone };
}

function readInAnyOrder(ms: number): Record<DateOrder, number> {
  return { 'day first': ms, 'month first': ms };
}

/** Returns midnight of a day in UTC, or null for a date that does not exist. */
function dayMs(year: number, month: number, day: number): number | null {
  const ms = Date.UTC(year, month - 1, day);
  const date = new Date(ms);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? ms : null;
}
