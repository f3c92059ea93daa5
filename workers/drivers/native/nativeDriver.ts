import type { LoadDriver } from '../loadDriver.ts';
import { AfterReads } from './afterReads.ts';
import { NativeLoad, type NativeLoadOptions } from './nativeLoad.ts';
import { NativeUser } from './nativeUser.ts';
import { sweepIntervalMs } from './timeLimits.ts';

export interface NativeDriverOptions extends Omit<NativeLoadOptions, 'afterReads'> {
  readonly connections: number;
  /** Numbers of its connections in the whole stage: the first, and how far they lie apart. */
  readonly numbering: { readonly first: number; readonly apart: number };
}

/** The closed model over our own sockets: each connection sends its next request when the last answer has arrived. */
export class NativeDriver implements LoadDriver {
  readonly done: Promise<void>;
  private readonly load: NativeLoad;
  private readonly afterReads: AfterReads;
  private readonly users: readonly NativeUser[];
  private readonly sweep: NodeJS.Timeout;

  /** @throws {HoldfastError} for certificates or keys that cannot be used. */
  constructor(options: NativeDriverOptions) {
    const { promise, resolve } = Promise.withResolvers<void>();
    let running = options.connections;
    this.done = promise;
    this.afterReads = new AfterReads(options.now);
    this.load = new NativeLoad({ ...options, afterReads: this.afterReads }, () => {
      running -= 1;
      if (running === 0) this.close(resolve);
    });
    this.users = Array.from(
      { length: options.connections },
      (_, index) => new NativeUser(this.load, this.afterReads, options.numbering.first + index * options.numbering.apart),
    );
    this.sweep = setInterval(() => this.sweepOnce(), sweepIntervalMs(options.limits));
  }

  get sideInFlight(): number {
    return this.load.stage.sideInFlight;
  }

  get inFlight(): number {
    return this.load.stage.inFlight;
  }

  get leftOut(): ReadonlyMap<string, number> {
    return this.load.stage.leftOut;
  }

  get addressesUsed(): ReadonlyMap<string, number> {
    return this.load.stage.addressesUsed;
  }

  start(): void {
    for (const user of this.users) user.start();
  }

  drain(why: 'over' | 'stopped'): void {
    this.afterReads.settle();
    this.load.stage.draining = true;
    this.load.stage.stopped ||= why === 'stopped';
    for (const user of this.users) user.drain();
  }

  abort(): void {
    this.afterReads.settle();
    this.load.stage.draining = true;
    for (const user of this.users) user.abort();
  }

  private sweepOnce(): void {
    const nowUs = this.load.now();
    for (const user of this.users) user.expire(nowUs);
    this.load.stage.closeRetired(nowUs);
  }

  private close(resolve: () => void): void {
    clearInterval(this.sweep);
    this.load.stage.closeRetired(Number.POSITIVE_INFINITY);
    resolve();
  }
}
