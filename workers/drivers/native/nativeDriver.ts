import { ConnectionsDriver } from '../connectionsDriver.ts';
import type { StageLoad } from '../stageLoad.ts';
import { AfterReads } from './afterReads.ts';
import { NativeLoad, type NativeLoadOptions } from './nativeLoad.ts';
import { VirtualUser } from './virtualUser.ts';
import { minLimitUs } from './timeLimits.ts';

export interface NativeDriverOptions extends Omit<NativeLoadOptions, 'afterReads'> {
  readonly connections: number;
  /** Number of connections that share one HTTP/2 connection, each as a stream; 1 if left out. */
  readonly streams?: number;
  /** Numbers of this thread's connections within the stage: the first one and the step between two. */
  readonly numbering: { readonly first: number; readonly apart: number };
}

/** Runs the closed load model with fixed connections. */
export class NativeDriver extends ConnectionsDriver {
  protected readonly stage: StageLoad;
  protected readonly connections: readonly VirtualUser[];
  private readonly afterReads: AfterReads;

  /** @throws {HoldfastError} for certificates or keys that cannot be used. */
  constructor(options: NativeDriverOptions) {
    super(options.connections, minLimitUs(options.limits));
    const afterReads = new AfterReads(options.now);
    const load = new NativeLoad({ ...options, afterReads }, () => this.connectionEnded());
    this.stage = load.stage;
    this.afterReads = afterReads;
    const { first, apart } = options.numbering;
    let carrier = load.newCarrier();
    this.connections = Array.from({ length: options.connections }, (_, index) => {
      if (index > 0 && index % (options.streams ?? 1) === 0) carrier = load.newCarrier();
      return new VirtualUser(load, afterReads, first + index * apart, carrier);
    });
  }

  override drain(why: 'over' | 'stopped'): void {
    this.afterReads.settle();
    super.drain(why);
  }

  override abort(): void {
    this.afterReads.settle();
    super.abort();
  }
}
