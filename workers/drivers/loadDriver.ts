/** One stage's load on one target from one thread. Made ready first, so that all threads can begin at the same instant. */
export interface LoadDriver {
  /** Begins to load. */
  start(): void;
  /** Starts no more requests; `done` resolves when every answer that is owed has arrived, failed or timed out. */
  drain(): void;
  /** Gives up on what is owed: those requests stay unanswered, and `done` resolves at once. */
  abort(): void;
  /** Resolves when nothing is owed any more and all connections are closed. Never rejects. */
  readonly done: Promise<void>;
  /** Requests started and not yet settled. */
  readonly inFlight: number;
}
