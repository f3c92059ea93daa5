/** Who sends the next request when an answer has come. */
export interface Successor {
  goOn(nowUs: number): void;
}

/**
 * Lets everyone whose answer has come go on once all sockets that had something to read are read. A request that is sent in between would keep the answers behind it
 * waiting, which would be counted as the server's time, and a server on another processor would be woken for each request by itself.
 */
export class AfterReads {
  private readonly now: () => number;
  private waiting: Successor[] = [];

  constructor(now: () => number) {
    this.now = now;
  }

  add(successor: Successor): void {
    // Sockets are read in one phase of the event loop, and what is due immediately is done in the next.
    if (this.waiting.push(successor) === 1) setImmediate(this.letGo);
  }

  private readonly letGo = (): void => {
    const { waiting } = this;
    this.waiting = [];
    for (const successor of waiting) successor.goOn(this.now());
  };
}
