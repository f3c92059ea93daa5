import { DynamicTable, type Field, fieldBytes } from './dynamicTable.ts';
import { STATIC_COUNT, STATIC_FIELDS } from './staticTable.ts';
import { decodeHuffman } from './huffman.ts';

export type { Field } from './dynamicTable.ts';

/**
 * Why a block is refused. After a list that is too large, the connection stays usable. After a compression error, the tables of both sides
 * differ, so the connection is unusable.
 */
export type HpackRefusal = 'HEADER_LIST_TOO_LARGE' | 'COMPRESSION_ERROR';

export interface HpackLimits {
  /** The SETTINGS_HEADER_TABLE_SIZE that Holdfast announced. */
  readonly maxTableBytes: number;
  /** Maximum size of a list: the number of bytes of its names and values, plus 32 per field. */
  readonly maxListBytes: number;
}

const INDEXED_FLAG = 0x80;
const INSERTED_FLAG = 0x40;
const SIZE_UPDATE_FLAG = 0x20;
const SIZE_MASK = 0x1f;
const NOT_INSERTED_MASK = 0x0f;
const NO_FIELDS: readonly Field[] = [];

/** Decodes the header blocks of one connection (RFC 7541) in the order of their arrival. */
export class HpackDecoder {
  private readonly limits: HpackLimits;
  private readonly table: DynamicTable;
  private readonly reader = new BlockReader();
  private readonly seen = new SeenBlock();
  private list: readonly Field[] = NO_FIELDS;
  private taken: Field[] = [];
  private inserted: Field[] = [];
  private listBytes = 0;
  private isFixed = true;

  constructor(limits: HpackLimits) {
    this.limits = limits;
    this.table = new DynamicTable(limits.maxTableBytes);
  }

  /**
   * Fields of the last block, valid until the next one is decoded; empty after a refusal. The same array means the same fields: if a block
   * repeats the previous bytes, the same array is returned.
   */
  get fields(): readonly Field[] {
    return this.list;
  }

  decode(block: Buffer, start: number, end: number): HpackRefusal | null {
    const { table } = this;
    const known = this.seen.find(block, start, end, table.changes);
    if (known === null) return this.read(block, start, end);
    for (const field of known.inserted) table.insert(field);
    this.list = known.fields;
    return null;
  }

  private read(block: Buffer, start: number, end: number): HpackRefusal | null {
    const { changes } = this.table;
    this.list = NO_FIELDS;
    this.taken = [];
    this.inserted = [];
    this.listBytes = 0;
    this.isFixed = true;
    this.seen.forget();
    this.reader.begin(block, start, end);
    const isResized = this.readSizeUpdates();
    while (this.reader.hasMore) this.readField();
    if (this.reader.failed) return 'COMPRESSION_ERROR';
    if (this.listBytes > this.limits.maxListBytes) return 'HEADER_LIST_TOO_LARGE';
    this.list = this.taken;
    const { taken: fields, inserted, isFixed } = this;
    // A block with size updates is not kept, because a repetition of the block would have to repeat its size updates.
    if (!isResized) this.seen.remember(block, start, end, { fields, inserted, isFixed, changes });
    return null;
  }

  /** Reads size updates, which are allowed only before the first field (RFC 7541, section 4.2). */
  private readSizeUpdates(): boolean {
    const { reader } = this;
    let isResized = false;
    while (reader.hasMore && reader.peek() >> 5 === SIZE_UPDATE_FLAG >> 5) {
      const bytes = reader.integer(SIZE_MASK);
      if (bytes > this.limits.maxTableBytes) reader.failed = true;
      if (!reader.failed) this.table.resize(bytes);
      isResized = true;
    }
    return isResized;
  }

  private readField(): void {
    const { reader, table } = this;
    const byte = reader.peek();
    if (byte >= INDEXED_FLAG) {
      this.take(this.fieldAt(reader.integer(INDEXED_FLAG - 1)));
      return;
    }
    const isInserted = byte >= INSERTED_FLAG;
    if (!isInserted && byte >= SIZE_UPDATE_FLAG) {
      reader.failed = true;
      return;
    }
    const index = reader.integer(isInserted ? INSERTED_FLAG - 1 : NOT_INSERTED_MASK);
    const name = index === 0 ? reader.string() : this.fieldAt(index).name;
    const field = { name, value: reader.string() };
    if (reader.failed) return;
    if (isInserted) {
      table.insert(field);
      this.inserted.push(field);
    }
    this.take(field);
  }

  private fieldAt(index: number): Field {
    if (index > STATIC_COUNT) this.isFixed = false;
    const field = index > STATIC_COUNT ? this.table.at(index - STATIC_COUNT - 1) : STATIC_FIELDS[index - 1];
    if (field !== undefined) return field;
    this.reader.failed = true;
    return { name: '', value: '' };
  }

  /** Adds a field to the list. Fields beyond the limit are not kept, because one byte of a block can represent thousands of bytes. */
  private take(field: Field): void {
    this.listBytes += fieldBytes(field);
    if (this.listBytes <= this.limits.maxListBytes) this.taken.push(field);
  }
}

/** Maximum length of a block that is kept. Longer blocks are rare, and every connection keeps one block. */
const MAX_BLOCK_BYTES = 2_048;
const NO_BYTES = Buffer.alloc(0);

interface DecodedBlock {
  readonly fields: readonly Field[];
  /** Fields that were inserted into the dynamic table, in order. */
  readonly inserted: readonly Field[];
  /** Whether the result is independent of the dynamic table. */
  readonly isFixed: boolean;
  /** Value of `DynamicTable.changes` before the block was decoded. */
  readonly changes: number;
}

/**
 * The last block and its result. Under load, a server repeats the same block many times until its date changes, and a comparison takes a
 * fraction of the time of decoding.
 */
class SeenBlock {
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

/** Maximum integer, which is larger than any meaningful integer in a block. */
const MAX_INTEGER = 2 ** 28;
const MAX_SHIFT = 28;
const HUFFMAN_FLAG = 0x80;

/** Reads the integers and strings of a header block (RFC 7541, section 5). After an error, it stays `failed`. */
export class BlockReader {
  failed = false;
  private block: Buffer = NO_BYTES;
  private position = 0;
  private end = 0;

  begin(block: Buffer, start: number, end: number): void {
    this.block = block;
    this.position = start;
    this.end = end;
    this.failed = false;
  }

  get hasMore(): boolean {
    return this.position < this.end && !this.failed;
  }

  /** Returns the next byte without consuming it. May be called only if `hasMore`. */
  peek(): number {
    return this.block[this.position] ?? 0;
  }

  /** Reads an integer whose prefix has as many bits as `mask` has ones. */
  integer(mask: number): number {
    if (this.position >= this.end) return this.fail();
    let value = this.take() & mask;
    if (value < mask) return value;
    for (let shift = 0; shift <= MAX_SHIFT; shift += 7) {
      if (this.position >= this.end) return this.fail();
      const byte = this.take();
      value += (byte & 0x7f) * 2 ** shift;
      if (value > MAX_INTEGER) return this.fail();
      if (byte < 0x80) return value;
    }
    return this.fail();
  }

  string(): string {
    const isHuffman = (this.peek() & HUFFMAN_FLAG) !== 0;
    const length = this.integer(HUFFMAN_FLAG - 1);
    const start = this.position;
    if (this.failed || length > this.end - start) {
      this.failed = true;
      return '';
    }
    this.position = start + length;
    if (!isHuffman) return this.block.toString('latin1', start, this.position);
    const text = decodeHuffman(this.block, start, this.position);
    if (text === null) this.failed = true;
    return text ?? '';
  }

  private take(): number {
    const byte = this.block[this.position] ?? 0;
    this.position += 1;
    return byte;
  }

  private fail(): number {
    this.failed = true;
    return 0;
  }
}
