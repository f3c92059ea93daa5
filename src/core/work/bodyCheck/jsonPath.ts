/** Path into a JSON value: member names and list positions. */
export type JsonPath = readonly (string | number)[];

const PATH_PART_PATTERN = /\.([A-Za-z_$][\w$-]*)|\[(\d{1,9})\]|\["((?:[^"\\]|\\.)*)"\]/y;

/**
 * Parses `$.a.b[0]["c d"]`: `$` is the whole value, `.name` and `["any name"]` are members, and `[0]` is a list position from 0. Returns
 * null for anything else. Filters, slices and wildcards of JSONPath (RFC 9535) are not supported.
 */
export function parseJsonPath(text: string): JsonPath | null {
  if (!text.startsWith('$')) return null;
  const parts: (string | number)[] = [];
  let position = 1;
  while (position < text.length) {
    PATH_PART_PATTERN.lastIndex = position;
    const match = PATH_PART_PATTERN.exec(text);
    if (!match) return null;
    const [whole, name, index, quoted] = match;
    const part = name ?? (index === undefined ? unquote(quoted ?? '') : Number(index));
    if (part === null) return null;
    parts.push(part);
    position += whole.length;
  }
  return parts;
}

function unquote(text: string): string | null {
  try {
    const value: unknown = JSON.parse(`"${text}"`);
    return typeof value === 'string' ? value : null;
  } catch {
    return null;
  }
}

/** Returns the value at the path; undefined if there is none. Only own members count, so `$.constructor` finds nothing. */
export function findValueAt(value: unknown, path: JsonPath): unknown {
  let place: unknown = value;
  for (const part of path) {
    if (Array.isArray(place) ? typeof part !== 'number' : typeof part !== 'string') return undefined;
    if (typeof place !== 'object' || place === null || !Object.hasOwn(place, part)) return undefined;
    place = Reflect.get(place, part);
  }
  return place;
}

/** Path of a capture: the path of a value, or that of a part of each item of a list. */
export interface CapturePath {
  readonly path: JsonPath;
  /** Path from each item of the list at `path`; null without `[*]`. */
  readonly within: JsonPath | null;
}

/** Parses a path with at most one `[*]`, which stands for every item of a list: `$.items[*].id`. Returns null for anything else. */
export function parseCapturePath(text: string): CapturePath | null {
  const plain = parseJsonPath(text);
  if (plain !== null) return { path: plain, within: null };
  const [before = '', after, ...others] = text.split('[*]');
  const [path, within] = [parseJsonPath(before), parseJsonPath(`$${after ?? ' '}`)];
  return path === null || within === null || others.length > 0 ? null : { path, within };
}

/**
 * Returns the value at the path, or a list of what was found in the items of the list. Returns undefined if there is no value or no list.
 */
export function capturedAt(value: unknown, { path, within }: CapturePath): unknown {
  const found = findValueAt(value, path);
  if (within === null) return found;
  if (!Array.isArray(found)) return undefined;
  return found.map((item: unknown) => findValueAt(item, within)).filter((item) => item !== undefined);
}
