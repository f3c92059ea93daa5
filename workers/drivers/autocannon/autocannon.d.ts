/** The part of autocannon 9.0.0 that is used, including private members. `privateMembers.test.ts` checks these members. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';

  export interface Client extends EventEmitter {
    readonly destroyed: boolean;
    _connect(): void;
    _destroyConnection(): void;
    destroy(): void;
  }

  /** A replaced histogram, which autocannon does not compress when it stops. */
  export interface Histogram {
    readonly __custom: true;
    recordValue(value: number): void;
    destroy(): void;
  }

  export interface Options {
    readonly url: string;
    readonly connections: number;
    readonly pipelining: 1;
    readonly duration: number;
    readonly timeout: number;
    readonly sampleInt: number;
    readonly histograms?: Readonly<Record<'latencies' | 'requests' | 'throughput', Histogram>>;
    readonly skipAggregateResult: boolean;
    readonly setupClient: (client: Client) => void;
  }

  export interface Tracker {
    stop(): void;
  }

  export default function autocannon(options: Options, done: (error: Error | null) => void): Tracker;
}
