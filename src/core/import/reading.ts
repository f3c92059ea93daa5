/** Looks into a document that others wrote: own members only, and nothing is taken for granted. */

export type Block = Readonly<Record<string, unknown>>;

export function isBlock(value: unknown): value is Block {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

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

export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
