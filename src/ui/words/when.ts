import { LOCALE } from './locale.ts';

/** A moment for people: "today, 02:05 PM", else "Mar 12, 2026, 2:05 PM". */
export function formatWhen(iso: string, now: Date = new Date(), locale = LOCALE): string {
  const moment = new Date(iso);
  const time = new Intl.DateTimeFormat(locale, { hour: '2-digit', minute: '2-digit' }).format(moment);
  const days = new Date(now).setHours(0, 0, 0, 0) - new Date(moment).setHours(0, 0, 0, 0);
  const relative = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' });
  if (days === 0 || Math.round(days / 86_400_000) === 1) return `${relative.format(-Math.round(days / 86_400_000), 'day')}, ${time}`;
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(moment);
}
