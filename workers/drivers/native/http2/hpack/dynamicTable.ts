/** Initial size of the table (RFC 9113, section 6.5.2). */
export const DEFAULT_TABLE_BYTES = 4_096;

/** Called for each evicted field with its number. The first inserted field has number 0. */
export type EvictionListener = (field: Field, number: number) => void;

/** The most recent fields that fit into `maxBytes` (RFC 7541, section 2.3.2), in a ring of fixed length. */
export class DynamicTable {
  maxBytes: number;
  inserted = 0;
  evicted = 0;
  private bytes = 0;
  private readonly ring: (Field | undefined)[];
  private readonly onEvict: EvictionListener | null;

  /** `limitBytes` is the upper bound of `maxBytes`. */
  constructor(limitBytes: number, onEvict: EvictionListener | null = null) {
    this.maxBytes = Math.min(limitBytes, DEFAULT_TABLE_BYTES);
    this.onEvict = onEvict;
    this.ring = Array.from({ length: Math.max(1, Math.floor(limitBytes / FIELD_OVERHEAD_BYTES)) }, () => undefined);
  }

  get count(): number {
    return this.inserted - this.evicted;
  }

  /** Number of changes of the table. While it stays the same, so do the contents. */
  get changes(): number {
    return this.inserted + this.evicted;
  }

  /** Returns the field at an index, where the last inserted field has index 0. Returns undefined if there is none. */
  at(index: number): Field | undefined {
    return index < this.count ? this.ring[(this.inserted - 1 - index) % this.ring.length] : undefined;
  }

  /** Inserts a field. A field that is larger than the whole table empties the table and is not inserted (RFC 7541, section 4.4). */
  insert(field: Field): void {
    const bytes = fieldBytes(field);
    this.evictTo(this.maxBytes - bytes);
    if (bytes > this.maxBytes) return;
    this.ring[this.inserted % this.ring.length] = field;
    this.inserted += 1;
    this.bytes += bytes;
  }

  resize(maxBytes: number): void {
    this.maxBytes = maxBytes;
    this.evictTo(maxBytes);
  }

  private evictTo(bytes: number): void {
    while (this.bytes > bytes && this.evicted < this.inserted) {
      const at = this.evicted % this.ring.length;
      const field = this.ring[at];
      if (field !== undefined) {
        this.bytes -= fieldBytes(field);
        this.onEvict?.(field, this.evicted);
      }
      this.ring[at] = undefined;
      this.evicted += 1;
    }
  }
}

interface NumbersOfName {
  /** Number of the field that was added last. */
  last: number;
  readonly values: Map<string, number>;
}

/** Finds the number of an added field, or of any added field with the same name. */
export class FieldIndex {
  private readonly names = new Map<string, NumbersOfName>();

  /** Adds a field. It hides equal fields that were added before. */
  add({ name, value }: Field, number: number): void {
    const ofName = this.names.get(name);
    if (ofName === undefined) {
      this.names.set(name, { last: number, values: new Map([[value, number]]) });
      return;
    }
    ofName.last = number;
    ofName.values.set(value, number);
  }

  /** Removes a field. Fields must be removed in the order of their addition. */
  remove({ name, value }: Field, number: number): void {
    const ofName = this.names.get(name);
    if (ofName === undefined) return;
    if (ofName.last === number) this.names.delete(name);
    else if (ofName.values.get(value) === number) ofName.values.delete(value);
  }

  /** Returns the number of a field; -1 if there is none. */
  find({ name, value }: Field): number {
    return this.names.get(name)?.values.get(value) ?? -1;
  }

  /** Returns the number of the last added field with a name; -1 if there is none. */
  findName(name: string): number {
    return this.names.get(name)?.last ?? -1;
  }
}

/** A header field. Each character is in Latin-1 and represents one byte. */
export interface Field {
  readonly name: string;
  readonly value: string;
}

/** Number of bytes that each field counts in addition to its characters. */
const FIELD_OVERHEAD_BYTES = 32;

/** Returns the size of a field in a table and in a header list (RFC 7541, section 4.1; RFC 9113, section 6.5.2). */
export function fieldBytes({ name, value }: Field): number {
  return name.length + value.length + FIELD_OVERHEAD_BYTES;
}
