const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/** How far the clocks of a place are ahead of UTC, by the time that they show. */
export type Zone = (shownMs: number) => number;

/**
 * A time zone as it is written in files and given by persons: `Z`, `UTC`, `GMT+2`, `+02:00`, `-0330`, `Europe/Berlin`. null when it is
 * none. Letters such as CEST are none either: IST alone is three of them.
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
  const aheadAt = (ms: number): number => {
    const parts = new Map(format.formatToParts(ms).map(({ type, value }) => [type, Number(value)]));
    const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
    const shown = Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
    return shown - Math.floor(ms / 1_000) * 1_000;
  };
  // The clock's own distance at about that moment; the second look is for the day on which the clocks are changed.
  return (shownMs) => aheadAt(shownMs - aheadAt(shownMs));
}

/** Which of the two first numbers of 04/05/2014 is the day. */
export type DateOrder = 'day first' | 'month first';

/** A moment as it stands in a file. */
export interface WrittenTime {
  /** What the clock showed, as if it were UTC, by the order of day and month. null where there is no such day. */
  readonly shownMs: Readonly<Record<DateOrder, number | null>>;
  /** null where the text says none. */
  readonly zone: Zone | null;
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const CLOCK = String.raw`(?<hour>\d{1,2}):(?<minute>[0-5]\d)(?::(?<second>[0-5]\d)(?<fraction>[.,]\d+)?)?(?:[\s\u202f]?(?<half>[AaPp])\.?[Mm]\.?)?`;
const ZONE = String.raw`(?:\s*(?<zone>Z|(?:UTC|GMT)?\s?[+-]\d{1,2}(?::?\d{2})?|UTC|GMT))?(?:\s*(?:\([^()]*\)|UTC))?`;
const END = String.raw`(?:[T ]|,\s?)\s*${CLOCK}${ZONE}$`;
const NAMED_MONTH = '(?<month>[A-Za-z]{3})[a-z]*';

const FORMS = [
  // 2014-04-25T10:00:00Z, 2014/04/25 10:00
  new RegExp(String.raw`^(?<year>\d{4})[-/.](?<month>\d{1,2})[-/.](?<day>\d{1,2})${END}`),
  // 25.04.2014 10:00, 4/25/2014, 10:00:00 AM
  new RegExp(String.raw`^(?<first>\d{1,2})(?<dash>[-/.])(?<then>\d{1,2})\k<dash>(?<year>\d{4})${END}`),
  // Fri, 25 Apr 2014 10:00:00 +0200
  new RegExp(String.raw`^(?:[A-Za-z]{3,9},?\s)?(?<day>\d{1,2})[ -]${NAMED_MONTH}[ -](?<year>\d{4})${END}`),
  // Fri Apr 25 2014 10:00:00 GMT+0200 (Central European Summer Time), Apr 25, 2014, 10:00:00 AM
  new RegExp(String.raw`^(?:[A-Za-z]{3,9},?\s)?${NAMED_MONTH}\s(?<day>\d{1,2}),?\s(?<year>\d{4})${END}`),
];

/** Seconds, milliseconds, microseconds or nanoseconds since 1970, told apart by their digits: good from 2001 to 2286. */
const EPOCH = /^(\d{10})(?:(\d{3})(\d{3})?(\d{3})?)?(?:\.(\d+))?$/;

/** Reads a date with a time of day in the forms that consoles, spreadsheets and programs write. null when it is none. */
export function parseTime(text: string): WrittenTime | null {
  const written = text.trim();
  const epoch = EPOCH.exec(written);
  if (epoch !== null) return { shownMs: inAnyOrder(epochMs(epoch)), zone: () => 0 };
  for (const form of FORMS) {
    const parts = form.exec(written)?.groups;
    if (parts !== undefined) return fromParts(parts);
  }
  return null;
}

function epochMs([, seconds, milliseconds = '000', micro = '', nano = '', fraction = '']: RegExpExecArray): number {
  // With a fraction, what stands before it says what it is a fraction of.
  const isSeconds = milliseconds === '000' && micro === '' && nano === '' && fraction !== '';
  return Number(seconds) * 1_000 + (isSeconds ? Number(`0.${fraction}`) * 1_000 : Number(milliseconds));
}

function fromParts(parts: Readonly<Record<string, string | undefined>>): WrittenTime | null {
  const half = parts['half']?.toLowerCase();
  const written = Number(parts['hour']);
  if (written > (half === undefined ? 23 : 12) || (half !== undefined && written === 0)) return null;
  const hour = half === undefined ? written : (written % 12) + (half === 'p' ? 12 : 0);
  const fraction = Number(`0${(parts['fraction'] ?? '').replace(',', '.')}`);
  const clockMs = ((hour * 60 + Number(parts['minute'])) * 60 + Number(parts['second'] ?? 0) + fraction) * 1_000;
  const zone = parts['zone'] === undefined ? null : parseZone(parts['zone']);
  const year = Number(parts['year']);
  const at = (month: number, day: number): number | null => {
    const midnightMs = dayMs(year, month, day);
    return midnightMs === null ? null : midnightMs + clockMs;
  };
  if (parts['first'] === undefined) {
    const month = parts['month'] ?? '';
    const shownMs = at(/\d/.test(month) ? Number(month) : MONTHS.indexOf(month.toLowerCase()) + 1, Number(parts['day']));
    return shownMs === null ? null : { shownMs: inAnyOrder(shownMs), zone };
  }
  const [first, then] = [Number(parts['first']), Number(parts['then'])];
  // Nobody puts dots behind a month.
  const shownMs = { 'day first': at(then, first), 'month first': parts['dash'] === '.' ? null : at(first, then) };
  return shownMs['day first'] === null && shownMs['month first'] === null ? null : { shownMs, zone };
}

function inAnyOrder(ms: number): Record<DateOrder, number> {
  return { 'day first': ms, 'month first': ms };
}

/** Midnight of a day, as if it were in UTC; null for a day that there is not. */
function dayMs(year: number, month: number, day: number): number | null {
  const ms = Date.UTC(year, month - 1, day);
  const date = new Date(ms);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? ms : null;
}
