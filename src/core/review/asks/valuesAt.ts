export interface ValueAt {
  /** As a person would find it: `targets[0].url`. */
  readonly path: string;
  readonly value: unknown;
}

/** What stands in a document where a pattern says: `[]` is every item of a list, `*` every name of a record. */
export function valuesAt(document: unknown, pattern: string): ValueAt[] {
  const parts = pattern.replaceAll('[]', '.[]').split('.');
  return parts.reduce<ValueAt[]>((found, part) => found.flatMap((at) => inside(at, part)), [{ path: '', value: document }]);
}

function inside({ path, value }: ValueAt, part: string): ValueAt[] {
  if (part === '[]') return Array.isArray(value) ? value.map((item: unknown, index) => ({ path: `${path}[${index}]`, value: item })) : [];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [];
  const names = part === '*' ? Object.keys(value) : Object.hasOwn(value, part) ? [part] : [];
  const own = new Map(Object.entries(value));
  return names.map((name) => ({ path: path === '' ? name : `${path}.${name}`, value: own.get(name) }));
}
