import { buildWordTable, type WordTable } from './wordTable.ts';

/**
 * Why the bytes of a server are no valid HTTP/1.1 response. The codes appear as error names in results and never change their meaning. After a refusal the
 * connection is unusable, since the start of the next response is unknown.
 */
export const REFUSALS = [
  /** The first bytes are not `HTTP/`. */
  'NOT_HTTP',
  /** An HTTP version other than 1.0, 1.1 and 2.0. */
  'BAD_VERSION',
  /** The status is not a three-digit number from 100 on, or the reason phrase contains NUL. */
  'BAD_STATUS',
  /** A CR without LF after it: browsers end a line there, other clients do not. */
  'BARE_CR',
  /** A header line without a colon, NUL in a name, or a blank after the name of a header that decides where the message ends. */
  'BAD_HEADER_NAME',
  /** NUL in a header value. */
  'BAD_HEADER_VALUE',
  /** White space at the start of the first header line, or of a continuation line with the value of a header that decides where the message ends. */
  'FOLDED_HEADER',
  /** Not digits only, empty, or beyond 2^53 - 1. */
  'BAD_CONTENT_LENGTH',
  /** Several Content-Length values that differ. */
  'DIFFERENT_LENGTHS',
  /** An unknown transfer coding, or a coding after `chunked`. */
  'BAD_TRANSFER_ENCODING',
  /** Content-Length together with Transfer-Encoding, in a response with a body. */
  'LENGTH_AND_ENCODING',
  'BAD_CHUNK_SIZE',
  /** No line end after the data of a chunk. */
  'BAD_CHUNK_END',
  'HEAD_TOO_LARGE',
  'BODY_TOO_LARGE',
  /** Too many 1xx responses before the final one. */
  'TOO_MANY_INTERIM',
  /** 101 Switching Protocols without a request for it. */
  'UPGRADED',
  /** The server closed the connection before the response was complete. */
  'CLOSED_EARLY',
] as const;
export type Refusal = (typeof REFUSALS)[number];

/** The headers that the framer itself reads; the plan's headers follow in the table. */
const FRAMING_HEADERS = ['content-length', 'transfer-encoding', 'connection', 'proxy-connection'] as const;
/** Number of these headers, from the first, that decide where a message ends. */
const STRICT_HEADERS = 2;
export const CONTENT_LENGTH = 0;
export const TRANSFER_ENCODING = 1;
export const CONNECTION = 2;
export const PROXY_CONNECTION = 3;
export const FIRST_WANTED = FRAMING_HEADERS.length;

/** The headers that are read. Built once per thread and shared by all its connections. */
export interface HeaderPlan {
  readonly table: WordTable;
  /** Lower-case names of the headers whose values are kept, in the order of `ResponseHead.wanted`. */
  readonly wanted: readonly string[];
}

/** `wanted`: header names in lower case. Framing headers are always read and are ignored here. */
export function planHeaders(wanted: readonly string[]): HeaderPlan {
  const kept = [...new Set(wanted)].filter((name) => FRAMING_HEADERS.every((known) => known !== name));
  return { table: buildWordTable([...FRAMING_HEADERS, ...kept], STRICT_HEADERS), wanted: kept };
}
