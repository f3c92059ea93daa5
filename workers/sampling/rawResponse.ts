const NO_BYTES = Buffer.alloc(0);

/** Received bytes of the current response, up to a limit. The current read is copied only if the response continues after it. */
export class RawResponse {
  private pieces: Buffer[] = [];
  private keptBytes = 0;
  /** Buffer of the current read. A view of its `presentBytes` is created on demand, which is rare. */
  private read: Uint8Array = NO_BYTES;
  private presentStart = 0;
  private presentBytes = 0;

  begin(): void {
    if (this.pieces.length > 0) this.pieces = [];
    this.keptBytes = 0;
    this.presentBytes = 0;
  }

  /** Notes the current read's part of the response. The next read overwrites `buffer`. */
  see(buffer: Uint8Array, start: number, end: number, limitBytes: number): void {
    if (this.read !== buffer) this.read = buffer;
    this.presentStart = start;
    this.presentBytes = Math.min(end - start, Math.max(0, limitBytes - this.keptBytes));
  }

  /** Copies the current read, since another one follows. */
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
