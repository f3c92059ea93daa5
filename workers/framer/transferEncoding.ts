import type { Refusal } from './refusals.ts';
import { OTHER_WORD, WordListReader } from './wordListReader.ts';
import { buildWordTable } from './wordTable.ts';

const CODINGS = buildWordTable(['chunked', 'identity', 'gzip', 'x-gzip', 'deflate', 'br', 'zstd']);
const CHUNKED = 0;

/**
 * Reads Transfer-Encoding. The body is chunked if `chunked` is the last coding; without it, the body ends when the connection closes. Unknown codings, and
 * codings after `chunked`, are refused, since parsers disagree about the end. A repeated `chunked` counts once, as in curl and browsers.
 */
export class TransferEncodingReader extends WordListReader {
  present = false;
  chunked = false;

  constructor() {
    super(CODINGS);
  }

  reset(): void {
    this.present = false;
    this.chunked = false;
  }

  protected override take(word: number): Refusal | null {
    if (word === OTHER_WORD || (this.chunked && word !== CHUNKED)) return 'BAD_TRANSFER_ENCODING';
    this.chunked = word === CHUNKED;
    return null;
  }
}
