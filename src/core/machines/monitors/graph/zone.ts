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
