import { isBlock } from '#core/base/json.ts';

/** A limit for the work on one document. Without it, a few lines with nested references could exhaust the memory of any machine. */
export class Budget {
  private rest: number;

  constructor(amount: number) {
    this.rest = amount;
  }

  /** Takes `amount` from the budget. Returns false if less was left, and then for every later call. */
  spend(amount: number): boolean {
    this.rest -= amount;
    return this.rest >= 0;
  }
}

/** Maximum number of characters that variables can add to one plan: far more than 50 requests can contain. */
export const MAX_EXPANDED_CHARACTERS = 10_000_000;

/** Returns the value at a path of names and positions; undefined if there is none. */
export function valueAtPath(value: unknown, ...path: readonly (string | number)[]): unknown {
  let location: unknown = value;
  for (const part of path) {
    if (typeof location !== 'object' || location === null || !Object.hasOwn(location, part)) return undefined;
    location = Reflect.get(location, part);
  }
  return location;
}

export function textAt(value: unknown, ...path: readonly (string | number)[]): string | null {
  const found = valueAtPath(value, ...path);
  if (typeof found === 'string') return found;
  return typeof found === 'number' || typeof found === 'boolean' ? String(found) : null;
}

export function numberAt(value: unknown, ...path: readonly (string | number)[]): number | null {
  const found = valueAtPath(value, ...path);
  return typeof found === 'number' && Number.isFinite(found) ? found : null;
}

export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = valueAtPath(value, ...path);
  return Array.isArray(found) ? found : [];
}

export function entriesAt(value: unknown, ...path: readonly (string | number)[]): readonly (readonly [string, unknown])[] {
  const found = valueAtPath(value, ...path);
  return isBlock(found) ? Object.entries(found) : [];
}

/** Returns the items of a list; a single item instead of a list becomes a list of one. */
export function blocksAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = valueAtPath(value, ...path);
  return Array.isArray(found) ? found : found === undefined ? [] : [found];
}
