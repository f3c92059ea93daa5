import type { Refusal } from '../refusals.ts';

/** For each of llhttp's codes, the refusals of ours that say the same. llhttp says less: most header faults are one code there. */
const SAME: Readonly<Record<string, readonly (Refusal | 'AFTER_CLOSE')[]>> = {
  HPE_INVALID_CONSTANT: ['NOT_HTTP'],
  HPE_INVALID_VERSION: ['BAD_VERSION'],
  HPE_INVALID_STATUS: ['BAD_STATUS', 'BARE_LF'],
  HPE_CR_EXPECTED: ['BARE_LF'],
  HPE_LF_EXPECTED: ['BARE_CR'],
  HPE_STRICT: ['BARE_CR', 'BARE_LF', 'BAD_CHUNK_EXTENSION', 'BAD_CHUNK_END', 'BAD_CHUNK_SIZE'],
  HPE_UNEXPECTED_SPACE: ['FOLDED_HEADER'],
  HPE_INVALID_HEADER_TOKEN: ['BAD_HEADER_NAME', 'BAD_HEADER_VALUE', 'FOLDED_HEADER', 'BARE_LF'],
  HPE_INVALID_CONTENT_LENGTH: ['BAD_CONTENT_LENGTH', 'LENGTH_AND_ENCODING'],
  HPE_UNEXPECTED_CONTENT_LENGTH: ['TWO_CONTENT_LENGTHS'],
  HPE_INVALID_TRANSFER_ENCODING: ['BAD_TRANSFER_ENCODING', 'LENGTH_AND_ENCODING'],
  HPE_INVALID_CHUNK_SIZE: ['BAD_CHUNK_SIZE'],
  HPE_CLOSED_CONNECTION: ['AFTER_CLOSE'],
  HPE_INVALID_EOF_STATE: ['CLOSED_EARLY'],
};

/** Whether our refusal says what llhttp's says; both null when neither refuses. */
export function sameRefusal(llhttp: string | null, ours: string | null): boolean {
  if (llhttp === null || ours === null) return llhttp === ours;
  return (SAME[llhttp] ?? []).some((code) => code === ours);
}
