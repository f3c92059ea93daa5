const NO_BYTES = Buffer.alloc(0);

/** The bytes of the present answer as they came, up to a limit. Those of the read at hand are copied only when the answer goes on after it. */
export class RawAnswer {
  private pieces: Buffer[] = [];
  private keptBytes = 0;
  /** The read at hand: `presentBytes` of it. Their view is made when somebody looks: nearly nobody does. */
  private read: Uint8Array = NO_BYTES;
  private presentStart = 0;
  private presentBytes = 0;

  begin(): void {
    if (this.pieces.length > 0) this.pieces = [];
    this.keptBytes = 0;
    this.presentBytes = 0;
  }

  /** What the read at hand has of it, in a `buffer` that is overwritten by the next one. */
  see(buffer: Uint8Array, start: number, end: number, limitBytes: number): void {
    if (this.read !== buffer) this.read = buffer;
    this.presentStart = start;
    this.presentBytes = Math.min(end - start, Math.max(0, limitBytes - this.keptBytes));
  }

  /** Another read will follow. */
  keep(): void {
    if (this.presentBytes === 0) return;
    this.pieces.push(Buffer.from(this.present));
    this.keptBytes += this.presentBytes;
    this.presentBytes = 0;
  }

  /** Valid until the next read. */
  get bytes(): Buffer {
    if (this.presentBytes === 0) return Buffer.concat(this.pieces);
    return this.pieces.length === 0 ? this.present : Buffer.concat([...this.pieces, this.present]);
  }

  private get present(): Buffer {
    return Buffer.from(this.read.buffer, this.read.byteOffset + this.presentStart, this.presentBytes);
  }
}
