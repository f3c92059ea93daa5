/** Maximum length of a head that is kept. Longer heads are rare, and every connection keeps one head. */
const MAX_HEAD_BYTES = 2_048;
const WORD_BYTES = 4;
const NO_BYTES = Buffer.alloc(0);
const NO_WORDS = getWords(NO_BYTES);

/**
 * The last head that arrived in one piece. Under load, a server repeats the same head many times until its date changes, and a comparison
 * costs a fraction of the time of parsing.
 */
export class SeenHead {
  /**
   * Whether no head has arrived yet. The first head of a connection is not kept, because ten thousand listeners may each receive only one
   * head.
   */
  private isFirst = true;
  /** Length of the kept head in bytes; 0 if there is none. */
  length = 0;
  private bytes: Buffer = NO_BYTES;
  private words = NO_WORDS;
  /** The read buffer that was compared last. The next read buffer is almost always the same. */
  private buffer: Buffer = NO_BYTES;
  private bufferWords = NO_WORDS;

  /** Returns whether the same head is complete at `position`. */
  isAt(buffer: Buffer, position: number, end: number): boolean {
    const { length } = this;
    if (length === 0 || end - position < length) return false;
    if (position === 0 && buffer.byteOffset % WORD_BYTES === 0) return this.begins(buffer);
    return buffer.compare(this.bytes, 0, length, position, position + length) === 0;
  }

  remember(buffer: Buffer, start: number, end: number): void {
    const length = end - start;
    if (this.isFirst || length > MAX_HEAD_BYTES) {
      this.isFirst = false;
      return;
    }
    if (this.bytes.length < length) {
      this.bytes = Buffer.allocUnsafeSlow(length);
      this.words = getWords(this.bytes);
    }
    buffer.copy(this.bytes, 0, start, end);
    this.length = length;
  }

  forget(): void {
    this.length = 0;
  }

  /**
   * Returns whether the bytes begin with the head. Compares word by word: for a few hundred bytes, `Buffer.compare` takes several times as
   * long.
   */
  private begins(buffer: Buffer): boolean {
    if (buffer !== this.buffer) {
      this.buffer = buffer;
      this.bufferWords = getWords(buffer);
    }
    const { bytes, words, bufferWords, length } = this;
    const wholeWords = Math.trunc(length / WORD_BYTES);
    for (let index = 0; index < wholeWords; index += 1) if (bufferWords[index] !== words[index]) return false;
    for (let index = wholeWords * WORD_BYTES; index < length; index += 1) if (buffer[index] !== bytes[index]) return false;
    return true;
  }
}

/** Returns a view of the memory as words. The memory must be aligned. */
function getWords(bytes: Buffer): Int32Array {
  return new Int32Array(bytes.buffer, bytes.byteOffset, Math.trunc(bytes.length / WORD_BYTES));
}
