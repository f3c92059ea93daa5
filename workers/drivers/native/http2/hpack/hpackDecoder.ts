import { BlockReader } from './blockReader.ts';
import { DynamicTable } from './dynamicTable.ts';
import { type Field, fieldBytes } from './field.ts';
import { SeenBlock } from './seenBlock.ts';
import { STATIC_COUNT, STATIC_FIELDS } from './staticTable.ts';

export type { Field } from './field.ts';

/**
 * Why a block is refused. After a list that is too large, the connection stays usable. After a compression error, the tables of both sides differ, and the
 * connection is unusable.
 */
export type HpackRefusal = 'HEADER_LIST_TOO_LARGE' | 'COMPRESSION_ERROR';

export interface HpackLimits {
  /** The SETTINGS_HEADER_TABLE_SIZE that we announced. */
  readonly maxTableBytes: number;
  /** Maximum size of a list: bytes of names and values, plus 32 per field. */
  readonly maxListBytes: number;
}

const INDEXED = 0x80;
const INSERTED = 0x40;
const SIZE_UPDATE = 0x20;
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
   * Fields of the last block, valid until the next one is decoded; empty after a refusal. The same array means the same fields: a block that repeats the
   * previous bytes returns the same array.
   */
  get fields(): readonly Field[] {
    return this.list;
  }

  /** Decodes a complete block. */
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
    // A repeated block would have to repeat its size updates.
    if (!isResized) this.seen.remember(block, start, end, { fields, inserted, isFixed, changes });
    return null;
  }

  /** Reads size updates, which are allowed only before the first field (RFC 7541, section 4.2). */
  private readSizeUpdates(): boolean {
    const { reader } = this;
    let isResized = false;
    while (reader.hasMore && reader.peek() >> 5 === SIZE_UPDATE >> 5) {
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
    if (byte >= INDEXED) {
      this.take(this.fieldAt(reader.integer(INDEXED - 1)));
      return;
    }
    const isInserted = byte >= INSERTED;
    if (!isInserted && byte >= SIZE_UPDATE) {
      reader.failed = true;
      return;
    }
    const index = reader.integer(isInserted ? INSERTED - 1 : NOT_INSERTED_MASK);
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

  /** Fields beyond the limit are not kept: one byte of a block can stand for thousands. */
  private take(field: Field): void {
    this.listBytes += fieldBytes(field);
    if (this.listBytes <= this.limits.maxListBytes) this.taken.push(field);
  }
}
