import type { SessionStream } from './sessionStream.ts';

/** A power of two. A browser seldom has more streams under way, and every connection has so many places. */
const PLACES = 16;

/**
 * The streams of a session by their numbers, which only grow. A `Map` would make its table anew after every few requests, because it does not
 * use the place of a deleted key again.
 */
export class OpenStreams {
  size = 0;
  private readonly places: (SessionStream | null)[] = Array.from({ length: PLACES }, () => null);
  /** Those whose place was taken by one that lasts. */
  private readonly others = new Map<number, SessionStream>();

  /** A copy: streams may end while somebody goes through it. */
  get all(): SessionStream[] {
    return [...this.places.filter((stream) => stream !== null), ...this.others.values()];
  }

  get(id: number): SessionStream | undefined {
    const stream = this.places[placeOf(id)];
    if (stream?.id === id) return stream;
    return this.others.size === 0 ? undefined : this.others.get(id);
  }

  has(stream: SessionStream): boolean {
    return this.get(stream.id) === stream;
  }

  /** A stream that has its number, which is none of those that are here. */
  add(stream: SessionStream): void {
    const at = placeOf(stream.id);
    if (this.places[at] === null) this.places[at] = stream;
    else this.others.set(stream.id, stream);
    this.size += 1;
  }

  delete(stream: SessionStream): void {
    const at = placeOf(stream.id);
    if (this.places[at] === stream) this.places[at] = null;
    else if (!this.others.delete(stream.id)) return;
    this.size -= 1;
  }

  clear(): void {
    this.places.fill(null);
    this.others.clear();
    this.size = 0;
  }
}

/** A client's numbers are odd. */
function placeOf(id: number): number {
  return (id >> 1) & (PLACES - 1);
}
