/** The bytes of the present answer as they came, up to a limit. An answer that came in one piece is not copied. */
export class RawAnswer {
  private pieces: Buffer[] = [];
  private keptBytes = 0;
  private whole: Uint8Array | null = null;
  private wholeLength = 0;

  begin(): void {
    if (this.pieces.length > 0) this.pieces = [];
    this.keptBytes = 0;
    this.whole = null;
  }

  /** `buffer` is overwritten by the next read; `isWhole` says that the answer began and ended in it. */
  take(buffer: Uint8Array, length: number, isWhole: boolean, limitBytes: number): void {
    if (isWhole) {
      this.whole = buffer;
      this.wholeLength = length;
    } else if (this.keptBytes < limitBytes) {
      const piece = Buffer.from(buffer.subarray(0, Math.min(length, limitBytes - this.keptBytes)));
      this.pieces.push(piece);
      this.keptBytes += piece.length;
    }
  }

  /** Valid until the next read. */
  get bytes(): Buffer {
    const { whole } = this;
    return whole === null ? Buffer.concat(this.pieces) : Buffer.from(whole.buffer, whole.byteOffset, this.wholeLength);
  }
}
