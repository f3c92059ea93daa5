import { isBlock } from '#core/base/json.ts';
import { getOwn, setOwn } from '#core/base/ownMembers.ts';

const MAX_DEPTH = 20;
const MAX_INDEX = 1_000;

const END = Symbol('end');
/** A step into a value: the name of a member, an index, or the end of a list. */
type Part = string | number | typeof END;

/**
 * Builds the JSON of HTTPie’s items: `user[name]`, `list[]` (the next item) and `list[0]`; a name that begins with `[` is about the whole
 * body. Returns null for names that contradict each other or are not closed.
 */
export function buildNested(items: readonly (readonly [name: string, value: unknown])[]): unknown {
  let root: unknown;
  for (const [name, value] of items) {
    const parts = parseParts(name);
    const next = parts === null ? null : setAt(root, parts, value);
    if (next === null) return null;
    root = next.value;
  }
  return root ?? null;
}

function parseParts(name: string): Part[] | null {
  const [, root = '', rest = ''] = /^([^[\]]*)((?:\[[^[\]]*\])*)$/.exec(name) ?? [];
  if (root === '' && rest === '') return null;
  const inner = [...rest.matchAll(/\[([^[\]]*)\]/g)].map(([, key = '']): Part =>
    key === '' ? END : /^\d{1,6}$/.test(key) ? Number(key) : key,
  );
  const parts = root === '' ? inner : [root, ...inner];
  const isBounded = parts.length <= MAX_DEPTH && parts.every((part) => typeof part !== 'number' || part <= MAX_INDEX);
  return isBounded ? parts : null;
}

/** Returns the value with one part set, in a box; null if the parts contradict what is there. */
function setAt(before: unknown, [part, ...rest]: readonly Part[], value: unknown): { readonly value: unknown } | null {
  if (part === undefined) return { value };
  if (typeof part === 'string') {
    if (before !== undefined && !isBlock(before)) return null;
    const block: Record<string, unknown> = before ?? {};
    const inner = setAt(getOwn(block, part), rest, value);
    if (inner !== null) setOwn(block, part, inner.value);
    return inner === null ? null : { value: block };
  }
  if (before !== undefined && !Array.isArray(before)) return null;
  const list: unknown[] = before ?? [];
  const index = part === END ? list.length : part;
  const inner = index > MAX_INDEX ? null : setAt(list[index], rest, value);
  if (inner === null) return null;
  while (list.length < index) list.push(null);
  list[index] = inner.value;
  return { value: list };
}
