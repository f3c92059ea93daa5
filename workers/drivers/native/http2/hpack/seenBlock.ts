import type { Field } from './field.ts';

/** Longer blocks are rare, and every connection keeps one. */
const LONGEST_BYTES = 2_048;
const NO_BYTES = Buffer.alloc(0);

/** What a block came to. */
export interface DecodedBlock {
  readonly fields: readonly Field[];
  /** What it put into the dynamic table, in this order. */
  readonly inserted: readonly Field[];
  /** It came to this whatever the dynamic table held. */
  readonly isFixed: boolean;
  /** Of the dynamic table, before the block. */
  readonly changes: number;
}

/**
 * The bytes of the last block, and what they came to. Under load a server sends the same block many times before its date changes, and
 * comparing costs a fraction of decoding.
 */
export class SeenBlock {
  private bytes: Buffer = NO_BYTES;
  private length = 0;
  private decoded: DecodedBlock | null = null;

  /** What the same bytes come to, where the dynamic table has come to `changes`; null when they must be decoded. */
  find(block: Buffer, start: number, end: number, changes: number): DecodedBlock | null {
    const { bytes, length, decoded } = this;
    if (decoded === null || end - start !== length || !(decoded.isFixed || decoded.changes === changes)) return null;
    // For some dozens of bytes, calling what Node has for it takes longer.
    for (let index = 0; index < length; index += 1) if (block[start + index] !== bytes[index]) return null;
    return decoded;
  }

  remember(block: Buffer, start: number, end: number, decoded: DecodedBlock): void {
    const length = end - start;
    this.decoded = null;
    if (length > LONGEST_BYTES) return;
    if (this.bytes.length < length) this.bytes = Buffer.allocUnsafeSlow(length);
    block.copy(this.bytes, 0, start, end);
    this.length = length;
    this.decoded = decoded;
  }

  forget(): void {
    this.decoded = null;
  }
}
