export interface Due {
  readonly dueUs: number;
}

/** What is due at some instant, the earliest first: a binary heap, so that thousands who wait need one timer. */
export class DueQueue<Item extends Due> {
  private readonly heap: Item[] = [];

  /** Instant of the first; Infinity when nobody waits. */
  get firstUs(): number {
    return this.heap[0]?.dueUs ?? Number.POSITIVE_INFINITY;
  }

  /** `item.dueUs` must not change while it waits. */
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

  /** Takes the first; null when nobody waits. */
  pop(): Item | null {
    const { heap } = this;
    const [first] = heap;
    const last = heap.pop();
    if (first === undefined || last === undefined) return null;
    if (heap.length > 0) this.sink(last);
    return first;
  }

  /** Takes everybody, in no order. */
  takeAll(): Item[] {
    return this.heap.splice(0);
  }

  /** Puts an item where the first was, and then as far down as it belongs. */
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

/** Who may rest with a connection open, or without one. */
export interface Idler {
  readonly isConnected: boolean;
  /** When it was last put aside. */
  idleSinceUs: number;
  disconnect(): void;
}

/** Longer than servers usually keep an idle connection, and short enough for what a peak has left to go within the run. */
const IDLE_US = 30_000_000;
const MOST_CLOSED_AT_ONCE = 64;

/** The users of one target who are on no journey: those whose connection is open go first, the last used one before all others. */
export class IdleUsers<User extends Idler> {
  /** In the order in which they were put aside. */
  private connected: User[] = [];
  private readonly others: User[] = [];

  /** null when all are on their way. */
  take(): User | null {
    for (let user = this.connected.pop(); user !== undefined; user = this.connected.pop()) {
      if (user.isConnected) return user;
      // The server has closed it meanwhile.
      this.others.push(user);
    }
    return this.others.pop() ?? null;
  }

  put(user: User, nowUs: number): void {
    user.idleSinceUs = nowUs;
    (user.isConnected ? this.connected : this.others).push(user);
  }

  /** Closes connections that nobody has needed for long, a few at a time. */
  closeUnused(nowUs: number): void {
    let count = 0;
    for (const user of this.connected) {
      if (count === MOST_CLOSED_AT_ONCE || (user.isConnected && user.idleSinceUs > nowUs - IDLE_US)) break;
      user.disconnect();
      count += 1;
    }
    if (count > 0) this.others.push(...this.connected.splice(0, count));
  }
}
