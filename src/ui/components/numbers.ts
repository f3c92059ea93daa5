import { LOCALE } from '../words/words.ts';

/** What a person has typed into a number field: the number, or the text as long as it is none. */
export type NumberEntry = number | string;

/**
 * Reads a number as people write it in the locale: thousands may be grouped (by the locale's sign, a space or an apostrophe), the
 * decimal sign is the locale's or a point. null when it is not a number.
 */
export function parseNumber(text: string, locale = LOCALE): number | null {
  const { group, decimal } = signs(locale);
  let plain = text.trim().replaceAll(/[\s\u00a0\u202f'’]/g, '');
  if (plain === '') return null;
  const grouped = new RegExp(String.raw`^[+-]?\d{1,3}(${escape(group)}\d{3})+(${escape(decimal)}\d+)?$`);
  if (group !== decimal && grouped.test(plain)) plain = plain.replaceAll(group, '');
  plain = plain.replace(decimal, '.');
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : null;
}

/** A share as percent, without the noise of a product: 7, not 7.000000000000001. */
export function percentOf(share: number): number {
  return Number((share * 100).toPrecision(12));
}

/** The share that so many percent are, without such noise. */
export function shareOf(percent: number): number {
  return Number((percent / 100).toPrecision(12));
}

/** The number as the field shows it, with the locale's grouping and at most three decimals, six below 1. */
export function showNumber(entry: NumberEntry, locale = LOCALE): string {
  if (typeof entry === 'string') return entry;
  return new Intl.NumberFormat(locale, { maximumFractionDigits: Math.abs(entry) < 1 ? 6 : 3 }).format(entry);
}

/**
 * What a field shows for `value`, given the text that it showed for another one before: what is being typed stays as it was typed,
 * and a value that came from elsewhere is written anew.
 */
export function textFor(value: NumberEntry, shown: { readonly value: NumberEntry; readonly text: string }): string {
  return shown.value === value || (parseNumber(shown.text) ?? shown.text) === value ? shown.text : showNumber(value);
}

function signs(locale: string): { group: string; decimal: string } {
  const parts = new Intl.NumberFormat(locale).formatToParts(1_234_567.8);
  const find = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
  return { group: find('group').replaceAll(/[\s\u00a0\u202f]/g, '') || ',', decimal: find('decimal') || '.' };
}

function escape(sign: string): string {
  return sign.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
