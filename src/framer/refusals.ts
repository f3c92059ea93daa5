import { buildWordTable, type WordTable } from './wordTable.ts';

/**
 * Why the bytes of a server are not a valid HTTP/1.1 response. The codes appear as error names in results and never change their meaning.
 * After a refusal the connection is unusable, because the start of the next response is unknown.
 */
export const REFUSALS = [
  /** The first bytes are not `HTTP/`. */
  'NOT_HTTP',
  /** The HTTP version is not 1.0, 1.1 or 2.0. */
  'BAD_VERSION',
  /** The status is not a three-digit number from 100 on, or the reason phrase contains NUL. */
  'BAD_STATUS',
  /** A CR is not followed by LF. Browsers end a line there, but other clients do not. */
  'BARE_CR',
  /** A header line has no colon, a name contains NUL, or a blank follows the name of a header that determines where the message ends. */
  'BAD_HEADER_NAME',
  /** A header value contains NUL. */
  'BAD_HEADER_VALUE',
  /** White space starts the first header line, or a line that continues the value of a header that determines where the message ends. */
  'FOLDED_HEADER',
  /** The length is empty, contains other characters than digits, or is larger than 2^53 - 1. */
  'BAD_CONTENT_LENGTH',
  /** Several Content-Length values are different. */
  'DIFFERENT_LENGTHS',
  /** A transfer coding is unknown, or follows `chunked`. */
  'BAD_TRANSFER_ENCODING',
  /** A response with a body has both Content-Length and Transfer-Encoding. */
  'LENGTH_AND_ENCODING',
  'BAD_CHUNK_SIZE',
  /** The data of a chunk are not followed by a line end. */
  'BAD_CHUNK_END',
  'HEAD_TOO_LARGE',
  'BODY_TOO_LARGE',
  /** Too many 1xx responses came before the final one. */
  'TOO_MANY_INTERIM',
  /** The server sent 101 Switching Protocols although no request asked for it. */
  'UPGRADED',
  /** The server closed the connection before the response was complete. */
  'CLOSED_EARLY',
] as const;
export type Refusal = (typeof REFUSALS)[number];

/** The headers that the framer itself reads. In the table, the headers that the plan wants follow them. */
const FRAMING_HEADERS = ['content-length', 'transfer-encoding', 'connection', 'proxy-connection'] as const;
/** Number of framing headers, from the first, that determine where a message ends. */
const STRICT_HEADERS = 2;
export const CONTENT_LENGTH = 0;
export const TRANSFER_ENCODING = 1;
export const CONNECTION = 2;
export const PROXY_CONNECTION = 3;
export const FIRST_WANTED = FRAMING_HEADERS.length;

/** The headers that are read. Built once per thread and shared by all its connections. */
export interface HeaderPlan {
  readonly table: WordTable;
  /** Lower-case names of the headers whose values are kept, in the order of `FramedResponse.wanted`. */
  readonly wanted: readonly string[];
}

/** Returns the plan for reading the `wanted` headers, whose names are in lower case. Ignores framing headers, which are always read. */
export function planHeaders(wanted: readonly string[]): HeaderPlan {
  const kept = [...new Set(wanted)].filter((name) => FRAMING_HEADERS.every((known) => known !== name));
  return { table: buildWordTable([...FRAMING_HEADERS, ...kept], STRICT_HEADERS), wanted: kept };
}
