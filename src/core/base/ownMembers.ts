/**
 * Access to records by foreign names, such as those of servers, columns or metrics. A plain object returns inherited members for
 * `record['constructor']`, and an assignment to `record['__proto__']` changes its prototype. These functions only see own members;
 * `tools/lint/foreignKeys.ts` refuses `record[name]` everywhere else.
 */

/** Returns the own member with this name; undefined if there is none. */
export function getOwn<Value>(record: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

export function setOwn<Value>(record: Record<string, Value>, name: string, value: Value): void {
  if (name !== '__proto__') record[name] = value;
  else Object.defineProperty(record, name, { value, writable: true, enumerable: true, configurable: true });
}

/** Returns the own member with this name; creates it if it is missing. */
export function getOrSetOwn<Value>(record: Record<string, Value>, name: string, make: () => Value): Value {
  const known = getOwn(record, name);
  if (known !== undefined) return known;
  const made = make();
  setOwn(record, name, made);
  return made;
}
