/** One step into a JSON value: the name of a member or the position in a list. */
export type JsonPath = readonly (string | number)[];

const PART = /\.([A-Za-z_$][\w$-]*)|\[(\d{1,9})\]|\["((?:[^"\\]|\\.)*)"\]/y;

/**
 * Reads `$.a.b[0]["c d"]`: `$` is the whole value, `.name` and `["any name"]` members, `[0]` positions in lists from 0.
 * null for anything else; filters, slices and wildcards of JSONPath (RFC 9535) are not part of it.
 */
export function parseJsonPath(text: string): JsonPath | null {
  if (!text.startsWith('$')) return null;
  const parts: (string | number)[] = [];
  let position = 1;
  while (position < text.length) {
    PART.lastIndex = position;
    const match = PART.exec(text);
    if (!match) return null;
    const [whole, name, index, quoted] = match;
    const part = name ?? (index === undefined ? unquoted(quoted ?? '') : Number(index));
    if (part === null) return null;
    parts.push(part);
    position += whole.length;
  }
  return parts;
}

function unquoted(text: string): string | null {
  try {
    const value: unknown = JSON.parse(`"${text}"`);
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}

/** What stands at the path; undefined when there is nothing. Looks at own members only: `$.constructor` is none. */
export function valueAt(value: unknown, path: JsonPath): unknown {
  let place: unknown = value;
  for (const part of path) {
    if (Array.isArray(place) ? typeof part !== 'number' : typeof part !== 'string') return undefined;
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, part)) return undefined;
    place = Reflect.get(place, part);
  }
  return place;
}
