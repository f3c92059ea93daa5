import type { LoadDriver } from './loadDriver.ts';
import type { StageLoad } from './stageLoad.ts';
import { Sweep } from './sweep.ts';

/** One connection of the model `connections`, which sends its next request when the last answer has arrived. */
export interface DrivenConnection {
  start(): void;
  /** Ends at once when nothing is owed on it; otherwise it ends with the answer. */
  drain(): void;
  /** Ends at once; what is owed stays unanswered. */
  abort(): void;
  /** Gives up what has taken too long. */
  expire(nowUs: number): void;
}

/** The connections of one stage and target on one thread. How they send and read is the engine's. */
export abstract class ConnectionsDriver implements LoadDriver {
  readonly done: Promise<void>;
  protected abstract readonly stage: StageLoad;
  protected abstract readonly connections: readonly DrivenConnection[];
  private running: number;
  private readonly sweep: Sweep;
  private readonly resolveDone: () => void;

  /** `shortestLimitUs`: of the time limits of its requests. */
  constructor(connections: number, shortestLimitUs: number) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.done = promise;
    this.resolveDone = resolve;
    this.running = connections;
    this.sweep = new Sweep(
      shortestLimitUs,
      () => this.stage.now(),
      () => this.connections,
      (nowUs) => this.stage.closeRetired(nowUs),
    );
  }

  get inFlight(): number {
    return this.stage.inFlight;
  }

  get sideInFlight(): number {
    return this.stage.sideInFlight;
  }

  get leftOut(): ReadonlyMap<string, number> {
    return this.stage.leftOut;
  }

  get addressesUsed(): ReadonlyMap<string, number> {
    return this.stage.addressesUsed;
  }

  get silentAddresses(): ReadonlyMap<string, number> {
    return this.stage.silentAddresses;
  }

  start(): void {
    for (const connection of this.connections) connection.start();
  }

  drain(why: 'over' | 'stopped'): void {
    this.stage.draining = true;
    this.stage.stopped ||= why === 'stopped';
    for (const connection of this.connections) connection.drain();
  }

  abort(): void {
    this.stage.abort();
    for (const connection of this.connections) connection.abort();
  }

  closed(): Promise<void> {
    return this.stage.farewells.over();
  }

  /** Told when a connection sends no more. */
  protected connectionEnded(): void {
    this.running -= 1;
    if (this.running === 0) this.close();
  }

  protected close(): void {
    this.sweep.stop();
    this.stage.closeRetired(Number.POSITIVE_INFINITY);
    this.resolveDone();
  }
}
