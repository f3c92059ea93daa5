import { buildWordTable, type WordTable } from './wordTable.ts';

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
