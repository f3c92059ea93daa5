/** A deterministic random generator: the same seed gives the same sequence. */
export class Dice {
  private state: number;
  private readonly drawn = new Map<number, number>();

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** Returns a number that is uniform in [0, 1). Source: Tommy Ettinger's mulberry32. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** Draws from the exponential distribution by its quantile function −mean·ln(1 − u). */
  exponential(mean: number): number {
    return -mean * Math.log(1 - this.next());
  }

  /** Returns true for exactly one request of each block of `size`, at a random position. */
  isOneOf(size: number, index: number): boolean {
    if (index % size === 0 || !this.drawn.has(size)) this.drawn.set(size, Math.floor(this.next() * size));
    return index % size === this.drawn.get(size);
  }
}

/** What the server does with a request. Times are in µs since the server's first request. */
export type Act =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly bodyBytes: number;
      /** Time at which the response is sent. If it has already passed, the response is sent at once. */
      readonly dueUs: number;
      /** Whether the connection is closed after the response. */
      readonly close: boolean;
      /** Number of bytes at the end of the body that are announced but not sent, because the connection is closed instead. */
      readonly cutBytes: number;
      /** Whether all bytes except the last are sent as soon as the request has arrived. The last byte is sent when the response is due. */
      readonly sendsAhead: boolean;
      readonly version: '1.0' | '1.1';
    }
  | { readonly kind: 'reset' }
  | { readonly kind: 'silence' };

export interface BehaviourRequest {
  /** Number of earlier requests. */
  readonly index: number;
  /** Time at which the request had been read completely. */
  readonly atUs: number;
}

export interface BehaviourLoad {
  readonly connections: number;
  readonly seconds: number;
  readonly quickSeconds: number;
  readonly timeoutSeconds: number;
  /** Number of worker threads; default: as many as a run on this machine gets. */
  readonly threads?: number;
}

/** A behaviour of real servers, with a load that shows whether the engine measures it correctly. */
export interface Behaviour {
  readonly id: string;
  readonly title: string;
  readonly story: string;
  readonly load: BehaviourLoad;
  /** Returns the action for a request. Called once per request, in the order of arrival. */
  act(asked: BehaviourRequest, dice: Dice): Act;
  /** Times that follow from the behaviour itself, in addition to the server's log. */
  readonly tail: Tail | null;
}

/** A periodic pause of the whole server. */
export interface Tail {
  readonly periodUs: number;
  readonly fromUs: number;
  readonly lengthUs: number;
  /** Time that a response takes outside of the pause. */
  readonly usualUs: number;
}

/** Returns a complete response of 64 bytes that is sent at once, with the changes of a behaviour. */
export function response(changes: Partial<Extract<Act, { kind: 'response' }>> = {}): Act {
  return {
    kind: 'response',
    status: 200,
    bodyBytes: 64,
    dueUs: 0,
    close: false,
    cutBytes: 0,
    sendsAhead: false,
    version: '1.1',
    ...changes,
  };
}

/** The default load. It has enough connections to interleave requests, and few enough that neither side has a queue. */
export const USUAL_LOAD: BehaviourLoad = { connections: 6, seconds: 3, quickSeconds: 1, timeoutSeconds: 20 };

export const MS = 1_000;
