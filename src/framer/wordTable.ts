import { COLON, IS_TEXT, SP } from './bytes.ts';

/**
 * A state table that recognizes words byte by byte in upper or lower case, so that split words need not be copied: `node = next[(node << 8)
 * | byte]`. A hash would be as fast, but a server could provoke collisions.
 */
export interface WordTable {
  readonly next: Uint16Array;
  /** Index of the word that ends at each node; −1 if none does. */
  readonly wordAt: Int16Array;
}

/** Node for a byte that is invalid in a word. */
export const NODE_INVALID = 0;
/** Node for the colon after a word. */
export const NODE_END = 1;
/** Node for a word that is not in the table. */
export const NODE_UNKNOWN = 2;
export const NODE_ROOT = 3;

/**
 * Builds the table for `words`, which are in lower case and occur once each. Other words may contain any byte of text. After the first
 * `strictWords` words, blanks and control bytes are invalid.
 */
export function buildWordTable(words: readonly string[], strictWords = 0): WordTable {
  const rows: number[][] = [[], [], rowOfText(), rowOfText()];
  const wordAt: number[] = [-1, -1, -1, -1];
  for (const [index, word] of words.entries()) {
    let node = NODE_ROOT;
    for (const character of word) node = child(rows, wordAt, node, character);
    wordAt[node] = index;
    if (index < strictWords) rows[node]?.fill(NODE_INVALID, 0, SP + 1);
  }
  const next = new Uint16Array(rows.length << 8);
  for (const [node, row] of rows.entries()) next.set(row, node << 8);
  return { next, wordAt: Int16Array.from(wordAt) };
}

const OF_TEXT: readonly number[] = Array.from(IS_TEXT, (isText) => (isText === 1 ? NODE_UNKNOWN : NODE_INVALID));

function rowOfText(): number[] {
  return OF_TEXT.with(COLON, NODE_END);
}

function child(rows: number[][], wordAt: number[], node: number, character: string): number {
  const row = rows[node] ?? [];
  const lower = character.toLowerCase().charCodeAt(0);
  const known = row[lower] ?? NODE_INVALID;
  if (known > NODE_ROOT) return known;
  const added = rows.push(rowOfText()) - 1;
  wordAt.push(-1);
  row[lower] = added;
  row[character.toUpperCase().charCodeAt(0)] = added;
  return added;
}
