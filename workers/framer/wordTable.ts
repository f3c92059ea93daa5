import { COLON, IS_TOKEN } from './bytes.ts';

/**
 * A table that recognises a few words, whatever their case, while it reads them byte by byte, so that a word split over two reads
 * needs no copy: `node = next[(node << 8) | byte]`. A hash would be as fast and could be fooled by a server.
 */
export interface WordTable {
  readonly next: Uint16Array;
  /** Per node the index of the word that ends there, or -1. */
  readonly wordAt: Int16Array;
}

/** The byte cannot be part of a word. */
export const NODE_INVALID = 0;
/** The byte was the colon behind a word. */
export const NODE_END = 1;
/** So far a word, but none of those looked for. */
export const NODE_UNKNOWN = 2;
/** Before the first byte. */
export const NODE_ROOT = 3;

/** Builds the table for `words` (lower case tokens, each once). */
export function buildWordTable(words: readonly string[]): WordTable {
  const rows: number[][] = [[], [], rowOf(NODE_END), rowOf(NODE_INVALID)];
  const wordAt: number[] = [-1, -1, -1, -1];
  for (const [index, word] of words.entries()) {
    let node = NODE_ROOT;
    for (const character of word) node = child(rows, wordAt, node, character);
    wordAt[node] = index;
  }
  const next = new Uint16Array(rows.length << 8);
  for (const [node, row] of rows.entries()) next.set(row, node << 8);
  return { next, wordAt: Int16Array.from(wordAt) };
}

function rowOf(colon: number): number[] {
  return Array.from({ length: 256 }, (_, byte) => {
    if (byte === COLON) return colon;
    return IS_TOKEN[byte] === 1 ? NODE_UNKNOWN : NODE_INVALID;
  });
}

function child(rows: number[][], wordAt: number[], node: number, character: string): number {
  const row = rows[node] ?? [];
  const lower = character.toLowerCase().charCodeAt(0);
  const known = row[lower] ?? NODE_INVALID;
  if (known > NODE_ROOT) return known;
  const added = rows.push(rowOf(NODE_END)) - 1;
  wordAt.push(-1);
  row[lower] = added;
  row[character.toUpperCase().charCodeAt(0)] = added;
  return added;
}
