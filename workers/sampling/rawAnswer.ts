/** The bytes of the present answer as they came, up to a limit. Those of the read at hand are copied only when the answer goes on after it. */
export class RawAnswer {
  private pieces: Buffer[] = [];
  private keptBytes = 0;
  private present: Buffer | null = null;

  begin(): void {
    if (this.pieces.length > 0) this.pieces = [];
    this.keptBytes = 0;
    this.present = null;
  }

  /** The read at hand, whose `buffer` is overwritten by the next one. */
  see({ buffer, byteOffset }: Uint8Array, length: number, limitBytes: number): void {
    const left = limitBytes - this.keptBytes;
    this.present = left > 0 ? Buffer.from(buffer, byteOffset, Math.min(length, left)) : null;
  }

  /** Another read will follow. */
  keep(): void {
    if (this.present === null) return;
    this.pieces.push(Buffer.from(this.present));
    this.keptBytes += this.present.length;
    this.present = null;
  }

  /** Valid until the next read. */
  get bytes(): Buffer {
    const { pieces, present } = this;
    return present !== null && pieces.length === 0 ? present : Buffer.concat(present === null ? pieces : [...pieces, present]);
  }
}
