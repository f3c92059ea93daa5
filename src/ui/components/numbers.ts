import { LOCALE } from '../words/words.ts';

/** Value of a number field: the number, or the entered text as long as it is not a number. */
export type NumberEntry = number | string;

/**
 * Parses a number in the locale's format. Thousands may be grouped by the locale's separator, a space or an apostrophe. The decimal
 * separator is the locale's or a point. Returns null for anything else.
 */
export function parseNumber(text: string, locale = LOCALE): number | null {
  const { group, decimal } = separatorsOf(locale);
  let plain = text.trim().replaceAll(/[\s\u00a0\u202f'’]/g, '');
  if (plain === '') return null;
  const grouped = new RegExp(String.raw`^[+-]?\d{1,3}(${escapePattern(group)}\d{3})+(${escapePattern(decimal)}\d+)?$`);
  if (group !== decimal && grouped.test(plain)) plain = plain.replaceAll(group, '');
  plain = plain.replace(decimal, '.');
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : null;
}

/** Converts a share to percent without floating-point noise: 7, not 7.000000000000001. */
export function percentOf(share: number): number {
  return Number((share * 100).toPrecision(12));
}

/** Converts percent to a share without floating-point noise. */
export function shareOf(percent: number): number {
  return Number((percent / 100).toPrecision(12));
}

/** Formats a number for a field, with the locale's grouping and at most three decimals, or six for numbers below 1. */
export function showNumber(entry: NumberEntry, locale = LOCALE): string {
  if (typeof entry === 'string') return entry;
  return new Intl.NumberFormat(locale, { maximumFractionDigits: Math.abs(entry) < 1 ? 6 : 3 }).format(entry);
}

/**
 * Returns the text of a field for `value`, given the value and the text that were shown before. Text that is being entered is kept; a value
 * that was set from outside is formatted.
 */
export function textFor(value: NumberEntry, shown: { readonly value: NumberEntry; readonly text: string }): string {
  return shown.value === value || (parseNumber(shown.text) ?? shown.text) === value ? shown.text : showNumber(value);
}

function separatorsOf(locale: string): { group: string; decimal: string } {
  const parts = new Intl.NumberFormat(locale).formatToParts(1_234_567.8);
  const findPart = (type: string): string => parts.find((part) => part.type === type)?.value ?? '';
  return { group: findPart('group').replaceAll(/[\s\u00a0\u202f]/g, '') || ',', decimal: findPart('decimal') || '.' };
}

function escapePattern(sign: string): string {
  return sign.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
}
