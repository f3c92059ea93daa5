/** A line of a header list; of both parts, one letter stands for each byte (Latin-1). */
export interface Field {
  readonly name: string;
  readonly value: string;
}

/** What a field costs beside its letters. */
export const FIELD_OVERHEAD_BYTES = 32;

/** The size of a field in a table and in a header list (RFC 7541, 4.1; RFC 9113, 6.5.2). */
export function fieldBytes({ name, value }: Field): number {
  return name.length + value.length + FIELD_OVERHEAD_BYTES;
}
