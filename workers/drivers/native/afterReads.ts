/** An answer that is whole, and that nobody looks into. */
export interface Arrival {
  /** Counts it, and says who goes on. */
  settle(): void;
}

/** Who sends the next request when an answer has come. */
export interface Successor {
  /** Decides what to send, if anything. */
  prepare(nowUs: number): void;
  /** Sends it. */
  send(nowUs: number): void;
}

/**
 * Does what is not reading once all sockets that had something to read are read: counts the answers, then lets everyone go on. Counted or sent in between, each would keep
 * the answers behind it waiting, which would be counted as the server's time, and a server on another processor would be woken for each request by itself. Together it is
 * quicker too: what the kernel does for a socket drives this code out of the processor's caches.
 */
export class AfterReads {
  private readonly now: () => number;
  private isDue = false;
  private arrivals: Arrival[] = [];
  private waiting: Successor[] = [];

  constructor(now: () => number) {
    this.now = now;
  }

  settleLater(arrival: Arrival): void {
    this.arrivals.push(arrival);
    this.beDue();
  }

  add(successor: Successor): void {
    this.waiting.push(successor);
    this.beDue();
  }

  /** Counts what has arrived at once: before anything is told that came after it. */
  settle(): void {
    const { arrivals } = this;
    if (arrivals.length === 0) return;
    this.arrivals = [];
    for (const arrival of arrivals) arrival.settle();
  }

  /** Sockets are read in one phase of the event loop, and what is due immediately is done in the next. */
  private beDue(): void {
    if (this.isDue) return;
    this.isDue = true;
    setImmediate(this.letGo);
  }

  private readonly letGo = (): void => {
    this.settle();
    const { waiting } = this;
    this.waiting = [];
    this.isDue = false;
    const preparedUs = this.now();
    for (const successor of waiting) successor.prepare(preparedUs);
    for (const successor of waiting) successor.send(this.now());
  };
}
