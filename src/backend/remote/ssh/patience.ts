/** A time limit that does not run while a person is asked something. */
export class Patience {
  private readonly onOver: () => void;
  private leftMs: number;
  private since = 0;
  private timer: NodeJS.Timeout | null = null;
  private asking = 0;

  constructor(limitMs: number, onOver: () => void) {
    this.leftMs = limitMs;
    this.onOver = onOver;
    this.go();
  }

  /** Waits for a person without losing patience. */
  async during<Value>(work: () => Promise<Value>): Promise<Value> {
    this.asking += 1;
    if (this.asking === 1) this.halt();
    try {
      return await work();
    } finally {
      this.asking -= 1;
      if (this.asking === 0) this.go();
    }
  }

  end(): void {
    this.leftMs = Infinity;
    this.halt();
  }

  private go(): void {
    if (this.leftMs === Infinity) return;
    this.since = performance.now();
    this.timer = setTimeout(this.onOver, this.leftMs);
  }

  private halt(): void {
    if (this.timer === null) return;
    clearTimeout(this.timer);
    this.timer = null;
    this.leftMs = Math.max(0, this.leftMs - (performance.now() - this.since));
  }
}
