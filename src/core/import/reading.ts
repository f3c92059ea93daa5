import { isBlock } from '#core/base/json.ts';

/** How much may still be made of a document: a few lines can ask for more than any machine holds, where parts stand within parts. */
export class Budget {
  private left: number;

  constructor(most: number) {
    this.left = most;
  }

  /** Takes `amount` of it; false when that is more than was left, and for everything after. */
  spend(amount: number): boolean {
    this.left -= amount;
    return this.left >= 0;
  }
}

/** Characters that the values of variables may bring into one plan: far more than 50 requests can hold. */
export const MOST_EXPANDED = 10_000_000;

/** Looks into a document that others wrote: own members only, and nothing is taken for granted. */

/** What stands at a path of names and positions; undefined when there is nothing. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let place: unknown = value;
  for (const part of path) {
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, part)) return undefined;
    place = Reflect.get(place, part);
  }
  return place;
}

export function textAt(value: unknown, ...path: readonly (string | number)[]): string | null {
  const found = at(value, ...path);
  if (typeof found === 'string') return found;
  return typeof found === 'number' || typeof found === 'boolean' ? String(found) : null;
}

export function numberAt(value: unknown, ...path: readonly (string | number)[]): number | null {
  const found = at(value, ...path);
  return typeof found === 'number' && Number.isFinite(found) ? found : null;
}

export function listAt(value: unknown, ...path: readonly (string | number)[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

export function entriesAt(value: unknown, ...path: readonly (string | number)[]): readonly (readonly [string, unknown])[] {
  const found = at(value, ...path);
  return isBlock(found) ? Object.entries(found) : [];
}
