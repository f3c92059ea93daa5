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
