/** Longer heads are rare, and every connection keeps one. */
const LONGEST_BYTES = 2_048;
const WORD_BYTES = 4;
const NO_BYTES = Buffer.alloc(0);
const NO_WORDS = wordsOf(NO_BYTES);

/**
 * The bytes of the last head that came in one piece. Under load a server sends the same head many times before its date changes, and comparing
 * costs a fraction of reading.
 */
export class SeenHead {
  /** The first head of a connection is not kept: ten thousand listeners get no other. */
  private isFirst = true;
  /** 0 when there is none. */
  length = 0;
  private bytes: Buffer = NO_BYTES;
  private words = NO_WORDS;
  /** The read buffer that was compared last, which is nearly always the next one too. */
  private buffer: Buffer = NO_BYTES;
  private bufferWords = NO_WORDS;

  /** Whether the same head is at `position`, whole. */
  isAt(buffer: Buffer, position: number, end: number): boolean {
    const { length } = this;
    if (length === 0 || end - position < length) return false;
    if (position === 0 && buffer.byteOffset % WORD_BYTES === 0) return this.begins(buffer);
    return buffer.compare(this.bytes, 0, length, position, position + length) === 0;
  }

  remember(buffer: Buffer, start: number, end: number): void {
    const length = end - start;
    if (this.isFirst || length > LONGEST_BYTES) {
      this.isFirst = false;
      return;
    }
    if (this.bytes.length < length) {
      this.bytes = Buffer.allocUnsafeSlow(length);
      this.words = wordsOf(this.bytes);
    }
    buffer.copy(this.bytes, 0, start, end);
    this.length = length;
  }

  forget(): void {
    this.length = 0;
  }

  /** Word by word: for the few hundred bytes of a head, calling what Node has for it takes several times as long. */
  private begins(buffer: Buffer): boolean {
    if (buffer !== this.buffer) {
      this.buffer = buffer;
      this.bufferWords = wordsOf(buffer);
    }
    const { bytes, words, bufferWords, length } = this;
    const wholeWords = Math.trunc(length / WORD_BYTES);
    for (let index = 0; index < wholeWords; index += 1) if (bufferWords[index] !== words[index]) return false;
    for (let index = wholeWords * WORD_BYTES; index < length; index += 1) if (buffer[index] !== bytes[index]) return false;
    return true;
  }
}

/** The same memory, from its first byte on; it must lie at a whole word. */
function wordsOf(bytes: Buffer): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset, Math.trunc(bytes.length / WORD_BYTES));
}
