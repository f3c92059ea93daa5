import type { SessionStream } from './sessionStream.ts';

/** A power of two. Browsers rarely have more concurrent streams, and every connection has this many slots. */
const SLOTS = 16;

/**
 * The open streams of a session by their numbers, which only grow. A `Map` does not reuse slots of deleted keys and would rebuild its table after every few
 * requests.
 */
export class OpenStreams {
  size = 0;
  private readonly slots: (SessionStream | null)[] = Array.from({ length: SLOTS }, () => null);
  /** Streams whose slot is taken by a longer-lived one. */
  private readonly others = new Map<number, SessionStream>();

  /** Returns a copy, since streams may end during iteration. */
  get all(): SessionStream[] {
    return [...this.slots.filter((stream) => stream !== null), ...this.others.values()];
  }

  get(id: number): SessionStream | undefined {
    const stream = this.slots[getSlot(id)];
    if (stream?.id === id) return stream;
    return this.others.size === 0 ? undefined : this.others.get(id);
  }

  has(stream: SessionStream): boolean {
    return this.get(stream.id) === stream;
  }

  /** Adds a stream whose number is set and not in use. */
  add(stream: SessionStream): void {
    const at = getSlot(stream.id);
    if (this.slots[at] === null) this.slots[at] = stream;
    else this.others.set(stream.id, stream);
    this.size += 1;
  }

  delete(stream: SessionStream): void {
    const at = getSlot(stream.id);
    if (this.slots[at] === stream) this.slots[at] = null;
    else if (!this.others.delete(stream.id)) return;
    this.size -= 1;
  }

  clear(): void {
    this.slots.fill(null);
    this.others.clear();
    this.size = 0;
  }
}

/** Client stream numbers are odd. */
function getSlot(id: number): number {
  return (id >> 1) & (SLOTS - 1);
}
