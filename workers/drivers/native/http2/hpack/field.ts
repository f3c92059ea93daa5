/** A header field. One Latin-1 character stands for each byte. */
export interface Field {
  readonly name: string;
  readonly value: string;
}

/** Fixed size of a field in addition to its characters. */
export const FIELD_OVERHEAD_BYTES = 32;

/** Size of a field in a table and in a header list (RFC 7541, section 4.1; RFC 9113, section 6.5.2). */
export function fieldBytes({ name, value }: Field): number {
  return name.length + value.length + FIELD_OVERHEAD_BYTES;
}
