import { DEFAULT_TABLE_BYTES, DynamicTable, FieldIndex, type Field, fieldBytes } from './dynamicTable.ts';
import { encodeHuffman, huffmanBytes } from './huffman.ts';
import { STATIC_COUNT, STATIC_INDEX } from './staticTable.ts';

const INDEXED_FLAG = 0x80;
const INSERTED_FLAG = 0x40;
const SIZE_UPDATE_FLAG = 0x20;
const NEVER_INDEXED_FLAG = 0x10;
const NOT_INSERTED_FLAG = 0x00;
const HUFFMAN_FLAG = 0x80;
/** Maximum number of bytes of an integer up to 2^53, including its prefix byte. */
const MAX_INTEGER_BYTES = 9;
/** Maximum number of bytes of an index and the lengths of two strings. */
const MAX_FIELD_OVERHEAD_BYTES = 3 * MAX_INTEGER_BYTES;

/**
 * Headers that are never indexed because they are secret. Otherwise an attacker who influences other fields could confirm a guess by the
 * length of a block (RFC 7541, section 7.1.3).
 */
const SECRET_HEADERS = new Set(['authorization', 'set-cookie']);

/** Headers whose values never occur again. In the table, they would evict fields that occur often. */
const UNIQUE_HEADERS = new Set(['traceparent']);

/** Buffer for encoded blocks, which grows to the length of the longest. Encoding is synchronous, so one buffer per thread is enough. */
let scratch = Buffer.allocUnsafeSlow(4_096);

/** Encodes the header lists of one connection (RFC 7541). Blocks must be sent in the order in which they were encoded. */
export class HpackEncoder {
  private readonly limitBytes: number;
  private readonly index = new FieldIndex();
  private readonly table: DynamicTable;
  private updates = 0;
  /** Smallest table size since the last block; null if the size has not changed. */
  private minTableBytes: number | null = null;
  private position = 0;

  /** `maxTableBytes` is the upper bound of the table size, whatever the peer allows. */
  constructor(maxTableBytes = DEFAULT_TABLE_BYTES) {
    this.limitBytes = maxTableBytes;
    this.table = new DynamicTable(maxTableBytes, (field, number) => this.index.remove(field, number));
    // The peer assumes the default size until a block announces another size.
    if (maxTableBytes < DEFAULT_TABLE_BYTES) this.minTableBytes = maxTableBytes;
  }

  /**
   * Number of insertions, evictions and size updates. A block that did not change this number may be sent again while the number stays the
   * same.
   */
  get generation(): number {
    return this.table.changes + this.updates;
  }

  /** Applies the peer's SETTINGS_HEADER_TABLE_SIZE. The next block then starts with a size update. */
  setMaxTableBytes(bytes: number): void {
    const maxBytes = Math.min(bytes, this.limitBytes);
    if (maxBytes === this.table.maxBytes) return;
    this.minTableBytes = Math.min(this.minTableBytes ?? maxBytes, maxBytes);
    this.table.resize(maxBytes);
    this.updates += 1;
  }

  /** Encodes fields. Names must be in lower case; names and values have one character per byte. */
  encode(fields: readonly Field[]): Buffer {
    const maxBlockBytes = fields.reduce(
      (sum, { name, value }) => sum + name.length + value.length + MAX_FIELD_OVERHEAD_BYTES,
      MAX_FIELD_OVERHEAD_BYTES,
    );
    if (scratch.length < maxBlockBytes) scratch = Buffer.allocUnsafeSlow(maxBlockBytes);
    this.position = 0;
    this.putSizeUpdates();
    for (const field of fields) this.putField(field);
    return Buffer.from(scratch.subarray(0, this.position));
  }

  /**
   * Writes size updates, first the smallest size since the last block, because the peer must evict the same fields (RFC 7541, section 4.2).
   */
  private putSizeUpdates(): void {
    const { minTableBytes, table } = this;
    if (minTableBytes === null) return;
    if (minTableBytes < table.maxBytes) this.putInteger(minTableBytes, SIZE_UPDATE_FLAG, SIZE_UPDATE_FLAG - 1);
    this.putInteger(table.maxBytes, SIZE_UPDATE_FLAG, SIZE_UPDATE_FLAG - 1);
    this.minTableBytes = null;
    this.updates += 1;
  }

  private putField(field: Field): void {
    const { table } = this;
    const known = this.indexOf(STATIC_INDEX.find(field), this.index.find(field));
    if (known > 0) {
      this.putInteger(known, INDEXED_FLAG, INDEXED_FLAG - 1);
      return;
    }
    const name = this.indexOf(STATIC_INDEX.findName(field.name), this.index.findName(field.name));
    if (SECRET_HEADERS.has(field.name)) this.putLiteral(field, name, NEVER_INDEXED_FLAG, NEVER_INDEXED_FLAG - 1);
    // A field that fills half the table would evict more useful fields.
    else if (UNIQUE_HEADERS.has(field.name) || fieldBytes(field) > table.maxBytes / 2)
      this.putLiteral(field, name, NOT_INSERTED_FLAG, NEVER_INDEXED_FLAG - 1);
    else {
      this.putLiteral(field, name, INSERTED_FLAG, INSERTED_FLAG - 1);
      this.index.add(field, table.inserted);
      table.insert(field);
    }
  }

  /** Returns the index of an entry of the static table, or else of the dynamic table; 0 if it is in neither. */
  private indexOf(inStatic: number, inDynamic: number): number {
    if (inStatic >= 0) return inStatic + 1;
    return inDynamic >= 0 ? STATIC_COUNT + this.table.inserted - inDynamic : 0;
  }

  private putLiteral({ name, value }: Field, nameIndex: number, pattern: number, mask: number): void {
    this.putInteger(nameIndex, pattern, mask);
    if (nameIndex === 0) this.putString(name);
    this.putString(value);
  }

  private putString(text: string): void {
    const bytes = huffmanBytes(text);
    if (bytes < text.length) {
      this.putInteger(bytes, HUFFMAN_FLAG, HUFFMAN_FLAG - 1);
      this.position = encodeHuffman(text, scratch, this.position);
      return;
    }
    this.putInteger(text.length, 0, HUFFMAN_FLAG - 1);
    this.position += scratch.write(text, this.position, 'latin1');
  }

  /** Writes an integer. Its prefix has the bits of `mask`, below `pattern` (RFC 7541, section 5.1). */
  private putInteger(value: number, pattern: number, mask: number): void {
    if (value < mask) {
      scratch[this.position] = pattern | value;
      this.position += 1;
      return;
    }
    scratch[this.position] = pattern | mask;
    this.position += 1;
    let rest = value - mask;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) {
      scratch[this.position] = 0x80 | (rest & 0x7f);
      this.position += 1;
    }
    scratch[this.position] = rest;
    this.position += 1;
  }
}
