export interface DueItem {
  readonly dueUs: number;
}

/** Items in the order of their due times, as a binary heap. With the heap, thousands of waiting users need only one timer. */
export class DueQueue<Item extends DueItem> {
  private readonly heap: Item[] = [];

  /** Earliest due time; Infinity if the queue is empty. */
  get firstUs(): number {
    return this.heap[0]?.dueUs ?? Number.POSITIVE_INFINITY;
  }

  /** Adds an item. Its `dueUs` must not change while it is queued. */
  push(item: Item): void {
    const { heap } = this;
    let hole = heap.length;
    heap.push(item);
    while (hole > 0) {
      const above = (hole - 1) >>> 1;
      const parent = heap[above];
      if (parent === undefined || parent.dueUs <= item.dueUs) break;
      heap[hole] = parent;
      hole = above;
    }
    heap[hole] = item;
  }

  /** Removes and returns the earliest item; null if the queue is empty. */
  pop(): Item | null {
    const { heap } = this;
    const [first] = heap;
    const last = heap.pop();
    if (first === undefined || last === undefined) return null;
    if (heap.length > 0) this.sink(last);
    return first;
  }

  /** Removes and returns all items, in no particular order. */
  takeAll(): Item[] {
    return this.heap.splice(0);
  }

  /** Moves an item down from the root. */
  private sink(item: Item): void {
    const { heap } = this;
    let hole = 0;
    for (;;) {
      let below = 2 * hole + 1;
      let child = heap[below];
      if (child === undefined) break;
      const right = heap[below + 1];
      if (right !== undefined && right.dueUs < child.dueUs) {
        child = right;
        below += 1;
      }
      if (child.dueUs >= item.dueUs) break;
      heap[hole] = child;
      hole = below;
    }
    heap[hole] = item;
  }
}

/** A user who can be idle with or without an open connection. */
export interface Idler {
  readonly isConnected: boolean;
  idleSinceUs: number;
  disconnect(): void;
}

/**
 * Time after which an idle connection is closed. It is longer than usual keep-alive time-outs of servers, but short enough to close the
 * connections of a peak within the run.
 */
const IDLE_US = 30_000_000;
const MAX_CLOSED_PER_CALL = 64;

/** The idle users of one target. Users with open connections are used first, starting with the user who became idle last. */
export class IdleUsers<User extends Idler> {
  /** Users with open connections, in the order in which they became idle. */
  private connected: User[] = [];
  private readonly others: User[] = [];

  /** Returns an idle user; null if there is none. */
  take(): User | null {
    for (let user = this.connected.pop(); user !== undefined; user = this.connected.pop()) {
      if (user.isConnected) return user;
      // The server has closed the connection in the meantime.
      this.others.push(user);
    }
    return this.others.pop() ?? null;
  }

  put(user: User, nowUs: number): void {
    user.idleSinceUs = nowUs;
    (user.isConnected ? this.connected : this.others).push(user);
  }

  /** Closes connections that were not needed for `IDLE_US`, but only a few in each call. */
  closeUnused(nowUs: number): void {
    let count = 0;
    for (const user of this.connected) {
      if (count === MAX_CLOSED_PER_CALL || (user.isConnected && user.idleSinceUs > nowUs - IDLE_US)) break;
      user.disconnect();
      count += 1;
    }
    if (count > 0) this.others.push(...this.connected.splice(0, count));
  }
}
