import { buildWordTable, type WordTable } from './wordTable.ts';

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

/** The headers that the framer itself must read; the wanted ones follow them in the table. */
const FRAMING_HEADERS = ['content-length', 'transfer-encoding', 'connection', 'proxy-connection'] as const;
export const CONTENT_LENGTH = 0;
export const TRANSFER_ENCODING = 1;
export const CONNECTION = 2;
export const PROXY_CONNECTION = 3;
export const FIRST_WANTED = FRAMING_HEADERS.length;

/** Which headers are read at all. Built once for a thread and shared by all its connections. */
export interface HeaderPlan {
  readonly table: WordTable;
  /** Lower-case names of the headers whose values are kept, in the order of `ResponseHead.wanted`. */
  readonly wanted: readonly string[];
}

/** `wanted` are header names in lower case; those that decide about framing are known anyway and cannot be wanted. */
export function planHeaders(wanted: readonly string[]): HeaderPlan {
  const kept = [...new Set(wanted)].filter((name) => FRAMING_HEADERS.every((known) => known !== name));
  return { table: buildWordTable([...FRAMING_HEADERS, ...kept]), wanted: kept };
}
