import type { Refusal } from './refusals.ts';
import { OTHER_WORD, WordListReader } from './wordListReader.ts';
import { buildWordTable } from './wordTable.ts';

const CODINGS = buildWordTable(['chunked', 'identity', 'gzip', 'x-gzip', 'deflate', 'br', 'zstd']);
const CHUNKED = 0;

/**
 * Transfer-Encoding: the body is chunked when `chunked` is the last coding; without it, the body reaches until the close. A coding that is unknown or comes
 * after `chunked` is refused, since each reader would find another end. A repeated `chunked` counts once, as in curl and browsers.
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
