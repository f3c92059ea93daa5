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

/** The visitors of one target who are on no journey: those whose connection is open go first, the last used one before all others. */
export class IdleVisitors<Visitor extends Idler> {
  /** In the order in which they were put aside. */
  private connected: Visitor[] = [];
  private readonly others: Visitor[] = [];

  /** null when all are on their way. */
  take(): Visitor | null {
    for (let visitor = this.connected.pop(); visitor !== undefined; visitor = this.connected.pop()) {
      if (visitor.isConnected) return visitor;
      // The server has closed it meanwhile.
      this.others.push(visitor);
    }
    return this.others.pop() ?? null;
  }

  put(visitor: Visitor, nowUs: number): void {
    visitor.idleSinceUs = nowUs;
    (visitor.isConnected ? this.connected : this.others).push(visitor);
  }

  /** Closes connections that nobody has needed for long, a few at a time. */
  closeUnused(nowUs: number): void {
    let count = 0;
    for (const visitor of this.connected) {
      if (count === MOST_CLOSED_AT_ONCE || (visitor.isConnected && visitor.idleSinceUs > nowUs - IDLE_US)) break;
      visitor.disconnect();
      count += 1;
    }
    if (count > 0) this.others.push(...this.connected.splice(0, count));
  }
}
