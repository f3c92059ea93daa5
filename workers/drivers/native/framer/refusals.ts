/**
 * Why the bytes of a server are not taken for an HTTP/1.1 response. Codes are for programs and for the ledger's error keys; they
 * never change meaning. After a refusal the connection is useless, because nobody can tell where the next response would begin.
 */
export const REFUSALS = [
  /** The first bytes are not `HTTP/`. */
  'NOT_HTTP',
  /** A version other than 1.0 and 1.1. */
  'BAD_VERSION',
  /** No three-digit status from 100 on. */
  'BAD_STATUS',
  /** A line ends in LF without CR: whoever accepts it frames messages differently from a proxy that does not. */
  'BARE_LF',
  /** A CR that is not followed by LF. */
  'BARE_CR',
  'BAD_HEADER_NAME',
  'BAD_HEADER_VALUE',
  /** A header line that begins with white space (obsolete line folding, or a space after the status line). */
  'FOLDED_HEADER',
  /** Not digits only, empty, or beyond 2^53 - 1. */
  'BAD_CONTENT_LENGTH',
  /** Content-Length twice, even with the same value. */
  'TWO_CONTENT_LENGTHS',
  /** A Transfer-Encoding header without a value. */
  'BAD_TRANSFER_ENCODING',
  /** Content-Length beside Transfer-Encoding. */
  'LENGTH_AND_ENCODING',
  'BAD_CHUNK_SIZE',
  'BAD_CHUNK_EXTENSION',
  /** A chunk's data are not followed by CRLF. */
  'BAD_CHUNK_END',
  'HEAD_TOO_LARGE',
  'BODY_TOO_LARGE',
  /** Too many 1xx answers before the final one. */
  'TOO_MANY_INTERIM',
  /** 101 Switching Protocols, which was not asked for. */
  'UPGRADED',
  /** The server closed the connection before the response was complete. */
  'CLOSED_EARLY',
] as const;
export type Refusal = (typeof REFUSALS)[number];
