/** A complete response whose body is not read. */
export interface Arrival {
  /** Counts the response, and adds the successor that sends the next request. */
  settle(): void;
}

/** Sends the next request after a response. */
export interface Successor {
  prepare(nowUs: number): void;
  send(nowUs: number): void;
}

/**
 * Counts responses and sends the next requests only after all readable sockets are read. Work between two reads would delay the responses
 * that wait in other sockets, and that delay would count as the server's time. Requests sent one at a time would also wake a server on
 * another processor for each of them. Batches are faster, too, because the kernel's socket code evicts this code from the processor caches.
 */
export class AfterReads {
  private readonly now: () => number;
  private isScheduled = false;
  private arrivals: Arrival[] = [];
  private waiting: Successor[] = [];

  constructor(now: () => number) {
    this.now = now;
  }

  settleLater(arrival: Arrival): void {
    this.arrivals.push(arrival);
    this.schedule();
  }

  add(successor: Successor): void {
    this.waiting.push(successor);
    this.schedule();
  }

  /** Counts arrived responses immediately, so that recorded events keep their order. */
  settle(): void {
    const { arrivals } = this;
    if (arrivals.length === 0) return;
    this.arrivals = [];
    for (const arrival of arrivals) arrival.settle();
  }

  /** Schedules the work with `setImmediate`. The event loop runs such callbacks right after its poll phase, in which it reads sockets. */
  private schedule(): void {
    if (this.isScheduled) return;
    this.isScheduled = true;
    setImmediate(this.run);
  }

  private readonly run = (): void => {
    this.settle();
    const { waiting } = this;
    this.waiting = [];
    this.isScheduled = false;
    const preparedUs = this.now();
    for (const successor of waiting) successor.prepare(preparedUs);
    for (const successor of waiting) successor.send(this.now());
  };
}
