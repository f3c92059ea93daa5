import type { Field } from './field.ts';

/** Longer blocks are rare, and every connection keeps one block. */
const MAX_BLOCK_BYTES = 2_048;
const NO_BYTES = Buffer.alloc(0);

/** A decoded block. */
export interface DecodedBlock {
  readonly fields: readonly Field[];
  /** Fields inserted into the dynamic table, in order. */
  readonly inserted: readonly Field[];
  /** Whether the result is independent of the dynamic table. */
  readonly isFixed: boolean;
  /** Value of `DynamicTable.changes` before the block. */
  readonly changes: number;
}

/**
 * The last block and its result. Under load, a server repeats the same block many times until its date changes, and a comparison costs a fraction of
 * decoding.
 */
export class SeenBlock {
  private bytes: Buffer = NO_BYTES;
  private length = 0;
  private decoded: DecodedBlock | null = null;

  /** Returns the result for the same bytes at table state `changes`; null if the block must be decoded. */
  find(block: Buffer, start: number, end: number, changes: number): DecodedBlock | null {
    const { bytes, length, decoded } = this;
    if (decoded === null || end - start !== length || !(decoded.isFixed || decoded.changes === changes)) return null;
    // For a few dozen bytes, `Buffer.compare` takes longer than this loop.
    for (let index = 0; index < length; index += 1) if (block[start + index] !== bytes[index]) return null;
    return decoded;
  }

  remember(block: Buffer, start: number, end: number, decoded: DecodedBlock): void {
    const length = end - start;
    this.decoded = null;
    if (length > MAX_BLOCK_BYTES) return;
    if (this.bytes.length < length) this.bytes = Buffer.allocUnsafeSlow(length);
    block.copy(this.bytes, 0, start, end);
    this.length = length;
    this.decoded = decoded;
  }

  forget(): void {
    this.decoded = null;
  }
}
