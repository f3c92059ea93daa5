import * as fc from 'fast-check';
import type { Field } from '../hpack/dynamicTable.ts';
import { STATIC_FIELDS } from '../hpack/staticTable.ts';

/** Any bytes, as one character each. */
export const byteText = (maxLength: number): fc.Arbitrary<string> =>
  fc.uint8Array({ maxLength }).map((bytes) => Buffer.from(bytes).toString('latin1'));

const name = fc.oneof(
  fc.constantFrom(...STATIC_FIELDS.map((field) => field.name)),
  fc.constantFrom('x-trace', 'x-a', 'authorization', 'set-cookie'),
  fc.stringMatching(/^[a-z][a-z0-9-]{0,20}$/),
);
const value = fc.oneof(fc.constantFrom('', 'yes', 'no', 'gzip, deflate', '200'), byteText(20), byteText(300));

/** Typical header lists: fields of the static table, repeated fields, and others. */
export const fieldList: fc.Arbitrary<Field[]> = fc.array(fc.oneof(fc.constantFrom(...STATIC_FIELDS), fc.record({ name, value })), {
  maxLength: 12,
});

export const copied = (fields: readonly Field[]): Field[] => fields.map(({ name, value }) => ({ name, value }));

export const hex = (text: string): Buffer => Buffer.from(text.replaceAll(' ', ''), 'hex');
