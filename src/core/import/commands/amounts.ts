import { getOwn } from '#core/base/ownMembers.ts';

// Parsing of numbers and times as the tools write them.

/** Returns the number of `10`, or of `1k` and `1M` as wrk takes them; null for other texts. */
export function parseWholeNumber(text: string): number | null {
  const [, digits, unit = ''] = /^(\d{1,12}(?:\.\d{1,6})?)([km]?)$/i.exec(text.trim()) ?? [];
  const number = Number(digits) * (getOwn({ k: 1_000, m: 1_000_000 }, unit.toLowerCase()) ?? 1);
  return Number.isInteger(number) ? number : null;
}

/** Returns a rate above 0; null for other texts. */
export function rateOf(text: string): number | null {
  const [, digits, unit] = /^(\d{1,9}(?:\.\d{1,9})?)(k?)$/i.exec(text.trim()) ?? [];
  const rate = Number(digits) * (unit === '' ? 1 : 1_000);
  return rate > 0 ? rate : null;
}

const UNITS = { us: 0.000_001, ms: 0.001, s: 1, m: 60, h: 3_600, d: 86_400 };

/** Returns the seconds of a unit such as `s`, `sec` or `minutes`; undefined for other texts. */
export function secondsOfUnit(unit: string): number | undefined {
  return getOwn(UNITS, unit.replace(/^(?:(s)ec(?:ond)?s?|(m)in(?:ute)?s?|(h)ours?)$/, '$1$2$3'));
}

/** Converts `30`, `30s`, `2m`, `1m30s`, `1h` or `500ms` to seconds; null for other texts. */
export function durationSeconds(text: string): number | null {
  const compact = text.trim().toLowerCase().replaceAll(/\s+/g, '');
  if (compact.length > 40 || !/^(?:\d{1,12}(?:\.\d{1,9})?(?:[a-z]+|$))+$/.test(compact)) return null;
  const parts = [...compact.matchAll(/([\d.]+)([a-z]*)/g)].map(([whole, number, unit = '']) => {
    return Number(number) * (unit === '' && whole === compact ? 1 : (secondsOfUnit(unit) ?? Number.NaN));
  });
  const seconds = parts.reduce((sum, part) => sum + part, 0);
  return Number.isNaN(seconds) ? null : Math.round(seconds * 1_000) / 1_000;
}
