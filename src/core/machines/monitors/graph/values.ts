import { numberOf } from '../services/reading.ts';

/** A number of a graph and the unit that stands behind it; the unit is empty where none does. */
export interface WrittenValue {
  readonly value: number;
  readonly unit: string;
}

const NOTHING = /^(?:|-|–|—|n\/?a|nan|null|none|undefined|no data)$/i;
const NUMBER = /^([+-]?[\d.,' \u00a0\u202f]*\d(?:[eE][+-]?\d+)?)\s*([A-Za-z%µ°][A-Za-z%µ°/]{0,15})?$/;

/**
 * Reads a value. 'gap' where nothing was measured, null where something else than a number stands. With `decimalComma`, 1.234,5 is
 * what 1,234.5 is without.
 */
export function parseValue(text: string, decimalComma: boolean): WrittenValue | 'gap' | null {
  const written = text.trim();
  if (NOTHING.test(written)) return 'gap';
  const [, digits, unit = ''] = NUMBER.exec(written) ?? [];
  if (digits === undefined) return null;
  const [group, point] = decimalComma ? ['.', ','] : [',', '.'];
  const grouped = digits.replaceAll(/[' \u00a0\u202f]/g, group);
  const [whole = '', ...rest] = grouped.split(point);
  if (rest.length > 1 || rest[0]?.includes(group) === true) return null;
  // Groups are of three digits: 12,5 is not 125.
  if (whole.includes(group) && !new RegExp(String.raw`^[+-]?\d{1,3}(?:[${group}]\d{3})+$`).test(whole)) return null;
  const value = numberOf([whole.replaceAll(group, ''), ...rest].join('.'));
  return value === null ? null : { value, unit };
}
