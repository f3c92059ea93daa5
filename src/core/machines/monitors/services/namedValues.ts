import { numberOf } from './reading.ts';

/** Rows of a name and a number, as a database answers them; what is no number is left out. */
export type NamedValues = ReadonlyMap<string, number>;

/** From rows of a database's client. Names are taken without regard to capitals. */
export function namedValues(rows: readonly (readonly [name: unknown, value: unknown])[]): NamedValues {
  const values = new Map<string, number>();
  for (const [name, value] of rows) {
    const number = typeof value === 'number' ? value : numberOf(value === null || value === undefined ? '' : String(value));
    if (number !== null && Number.isFinite(number)) values.set(String(name).toLowerCase(), number);
  }
  return values;
}
