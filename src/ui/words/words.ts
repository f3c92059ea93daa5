import * as english from './en/index.ts';

/** The language of all texts. Numbers and dates use it too, so that a field and the sentence about the field agree. */
export const LOCALE = 'en-US';

/** Formats a time as "today, 02:05 PM" or "Mar 12, 2026, 2:05 PM". */
export function formatWhen(iso: string, now: Date = new Date(), locale = LOCALE): string {
  const moment = new Date(iso);
  const time = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' }).format(moment);
  const days = new Date(now).setHours(0, 0, 0, 0) - new Date(moment).setHours(0, 0, 0, 0);
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  if (days === 0 || Math.round(days / 86_400_000) === 1) return `${relative.format(-Math.round(days / 86_400_000), 'day')}, ${time}`;
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(moment);
}

/**
 * All texts of the app, with one file per feature. Texts with values are functions, so that another language can put the values in another
 * order. Numbers in sentences are passed in formatted (see #core/base/units.ts).
 */
export type Words = typeof english;
export type TermName = keyof Words['terms'];

export const words: Words = english;
