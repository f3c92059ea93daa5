import type { LoadDriver } from './loadDriver.ts';
import type { StageLoad } from './stageLoad.ts';
import { Sweep } from './sweep.ts';

/** One connection of the model `connections`, which sends its next request after each response. */
export interface DrivenConnection {
  start(): void;
  /** Ends immediately if no request is in flight; otherwise ends after the response. */
  drain(): void;
  /** Ends immediately. A request in flight stays outstanding. */
  abort(): void;
  /** Ends requests that have exceeded their time limit. */
  expire(nowUs: number): void;
}

/** Runs the connections of one stage to one target on one thread. The engine implements sending and reading. */
export abstract class ConnectionsDriver implements LoadDriver {
  readonly done: Promise<void>;
  protected abstract readonly stage: StageLoad;
  protected abstract readonly connections: readonly DrivenConnection[];
  private running: number;
  private readonly sweep: Sweep;
  private readonly resolveDone: () => void;

  /** `minLimitUs` is the shortest time limit of the requests. */
  constructor(connections: number, minLimitUs: number) {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.done = promise;
    this.resolveDone = resolve;
    this.running = connections;
    this.sweep = new Sweep(
      minLimitUs,
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

  drain(reason: 'over' | 'stopped'): void {
    this.stage.draining = true;
    this.stage.stopped ||= reason === 'stopped';
    for (const connection of this.connections) connection.drain();
  }

  abort(): void {
    this.stage.abort();
    for (const connection of this.connections) connection.abort();
  }

  closed(): Promise<void> {
    return this.stage.farewells.waitUntilClosed();
  }

  /** Called when a connection sends no more requests. */
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
