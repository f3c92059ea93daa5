import { getOwn } from '#core/base/ownMembers.ts';
/** Numbers and times as the tools read them; null for what is none. */

export function wholeNumber(text: string): number | null {
  // wrk takes 1k and 1M.
  const parts = /^(\d{1,12})(\.\d{1,6})?([km])?$/i.exec(text.trim());
  if (!parts) return null;
  const number = Number(`${parts[1] ?? ''}${parts[2] ?? ''}`) * (getOwn({ k: 1_000, m: 1_000_000 }, (parts[3] ?? '').toLowerCase()) ?? 1);
  return Number.isInteger(number) ? number : null;
}

/** A rate above 0, whole or with a fraction. */
export function rateOf(text: string): number | null {
  const parts = /^(\d{1,9}(?:\.\d{1,9})?)(k?)$/i.exec(text.trim());
  const rate = parts ? Number(parts[1]) * (parts[2] === '' ? 1 : 1_000) : 0;
  return rate > 0 ? rate : null;
}

const UNITS: Readonly<Record<string, number>> = {
  ms: 0.001,
  s: 1,
  sec: 1,
  secs: 1,
  second: 1,
  seconds: 1,
  m: 60,
  min: 60,
  mins: 60,
  minute: 60,
  minutes: 60,
  h: 3_600,
  hour: 3_600,
  hours: 3_600,
  d: 86_400,
};

/** `30`, `30s`, `2m`, `1m30s`, `1h`, `500ms`, in seconds. */
export function durationSeconds(text: string): number | null {
  const compact = text.trim().toLowerCase().replaceAll(/\s+/g, '');
  if (compact === '' || compact.length > 40) return null;
  let seconds = 0;
  let position = 0;
  for (const match of compact.matchAll(/(\d{1,12}(?:\.\d{1,9})?)([a-z]*)/g)) {
    const [whole, number = '', unit = ''] = match;
    if (match.index !== position) return null;
    const factor = unit === '' && whole.length === compact.length ? 1 : getOwn(UNITS, unit);
    if (factor === undefined) return null;
    seconds += Number(number) * factor;
    position += whole.length;
  }
  return position === compact.length ? Math.round(seconds * 1_000) / 1_000 : null;
}
