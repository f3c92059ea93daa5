import { type Field, FIELD_OVERHEAD_BYTES, fieldBytes } from './field.ts';

/** What the table of a connection may take before anybody has said otherwise (RFC 9113, 6.5.2). */
export const DEFAULT_TABLE_BYTES = 4_096;

/** Told of what leaves the table, with its number: the first insertion has 0. */
export type EvictionListener = (field: Field, number: number) => void;

/** The fields that both sides remember, as many of the last ones as `maxBytes` hold (RFC 7541, 2.3.2), in a ring that never grows. */
export class DynamicTable {
  maxBytes: number;
  /** Insertions so far. */
  inserted = 0;
  /** Fields that have left so far. */
  evicted = 0;
  private bytes = 0;
  private readonly ring: (Field | undefined)[];
  private readonly onEvict: EvictionListener | null;

  /** `limitBytes`: the most that `maxBytes` may ever be. */
  constructor(limitBytes: number, onEvict: EvictionListener | null = null) {
    this.maxBytes = Math.min(limitBytes, DEFAULT_TABLE_BYTES);
    this.onEvict = onEvict;
    this.ring = Array.from({ length: Math.max(1, Math.floor(limitBytes / FIELD_OVERHEAD_BYTES)) }, () => undefined);
  }

  get count(): number {
    return this.inserted - this.evicted;
  }

  /** The same number means the same fields. */
  get changes(): number {
    return this.inserted + this.evicted;
  }

  /** The field that was inserted last has index 0; undefined where there is none. */
  at(index: number): Field | undefined {
    return index < this.count ? this.ring[(this.inserted - 1 - index) % this.ring.length] : undefined;
  }

  /** What is larger than the whole table empties it and is not kept (RFC 7541, 4.4). */
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
