/**
 * Records by names that may be anybody's: of a server, a column, a metric. A plain object answers `record['constructor']` with what every object inherits, and an assignment
 * to `record['__proto__']` changes what it inherits instead of what it holds. Names that are not ours go through these functions, which know own members only;
 * `tools/lint/foreignKeys.ts` refuses `record[name]` everywhere else.
 */

/** What a record holds itself under a name; undefined where there is nothing. */
export function getOwn<Value>(record: Readonly<Record<string, Value>> | undefined, name: string): Value | undefined {
  return record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined;
}

/** Sets what a record holds under a name. */
export function setOwn<Value>(record: Record<string, Value>, name: string, value: Value): void {
  if (name !== '__proto__') record[name] = value;
  else Object.defineProperty(record, name, { value, writable: true, enumerable: true, configurable: true });
}

/** What a record holds under a name, made where there is nothing yet. */
export function getOrSetOwn<Value>(record: Record<string, Value>, name: string, make: () => Value): Value {
  const known = getOwn(record, name);
  if (known !== undefined) return known;
  const made = make();
  setOwn(record, name, made);
  return made;
}
