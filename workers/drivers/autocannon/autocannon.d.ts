/** The part of autocannon 9.0.0 that is used, private members included; `privateMembers.test.ts` holds it to that. */
declare module 'autocannon' {
  import type { EventEmitter } from 'node:events';
  import type { Duplex } from 'node:stream';

  export interface AnswerHead {
    readonly statusCode: number;
    readonly headers: readonly string[];
    readonly shouldKeepAlive: boolean;
  }

  export interface PendingAnswer {
    readonly req: undefined;
    readonly headers: AnswerHead;
    readonly body: string;
    readonly bytes: number;
    readonly duration: number;
  }

  export interface ResponseParser {
    /** Returns an Error when the bytes are not HTTP. */
    execute(bytes: Uint8Array, start?: number, length?: number): number | Error;
    finish(): Error | undefined;
    reinitialize(type: 'RESPONSE'): void;
    /** The handler of a complete message; 4 is HTTPParser.kOnMessageComplete. */
    4: () => void;
  }

  export interface PendingQueue {
    setHeaders(head: AnswerHead): void;
    addBody(bytes: Uint8Array): void;
    terminateRequest(): PendingAnswer | undefined;
  }

  export interface Client extends EventEmitter {
    conn: Duplex | undefined;
    readonly parser: ResponseParser;
    readonly pipelinedRequests: PendingQueue;
    readonly destroyed: boolean;
    _connect(): void;
    _doRequest(): void;
    _destroyConnection(): void;
    destroy(): void;
  }

  /** What takes the place of a histogram; one with this mark is not packed at the end. */
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
