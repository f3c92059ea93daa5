import { buildWordTable, type WordTable } from './wordTable.ts';

/**
 * Why the bytes of a server are not taken for an HTTP/1.1 response. Codes are for programs and for the ledger's error keys; they
 * never change meaning. After a refusal the connection is useless, because nobody can tell where the next response would begin.
 */
export const REFUSALS = [
  /** The first bytes are not `HTTP/`. */
  'NOT_HTTP',
  /** A version other than 1.0, 1.1 and 2.0. */
  'BAD_VERSION',
  /** No three-digit status from 100 on, or a NUL in the reason behind it. */
  'BAD_STATUS',
  /** A CR that is not followed by LF: browsers end a line there, others do not. */
  'BARE_CR',
  /** A line without a colon, a NUL, or a blank behind the name of a header that decides where the message ends. */
  'BAD_HEADER_NAME',
  /** A NUL. */
  'BAD_HEADER_VALUE',
  /** White space at the start of the first header line, or of a line with the value of a header that decides where the message ends. */
  'FOLDED_HEADER',
  /** Not digits only, empty, or beyond 2^53 - 1. */
  'BAD_CONTENT_LENGTH',
  /** Content-Length with different values. */
  'DIFFERENT_LENGTHS',
  /** A coding that is unknown, or behind `chunked`. */
  'BAD_TRANSFER_ENCODING',
  /** Content-Length beside Transfer-Encoding, where there is a body. */
  'LENGTH_AND_ENCODING',
  'BAD_CHUNK_SIZE',
  /** A chunk's data are not followed by a line end. */
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
/** Of those, the first ones decide where a message ends. */
const STRICT_HEADERS = 2;
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
  return { table: buildWordTable([...FRAMING_HEADERS, ...kept], STRICT_HEADERS), wanted: kept };
}
