/** A deterministic random generator: the same seed gives the same sequence. */
export class Dice {
  private state: number;
  private readonly drawn = new Map<number, number>();

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** Uniform in [0, 1). Tommy Ettinger's mulberry32. */
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

/** The server's action for one request. Times are in µs since its first request. */
export type Act =
  | {
      readonly kind: 'response';
      readonly status: number;
      readonly bodyBytes: number;
      /** When the response is sent; at once if this time has passed. */
      readonly dueUs: number;
      /** Closes the connection after the response. */
      readonly close: boolean;
      /** Number of bytes at the end of the body that are announced but not sent; the connection is closed instead. */
      readonly cutBytes: number;
      /** Sends all but the last byte as soon as the request has arrived, and the last byte when the response is due. */
      readonly sendsAhead: boolean;
      readonly version: '1.0' | '1.1';
    }
  | { readonly kind: 'reset' }
  | { readonly kind: 'silence' };

export interface BehaviourRequest {
  /** Number of earlier requests. */
  readonly index: number;
  /** When it was read completely. */
  readonly atUs: number;
}

export interface BehaviourLoad {
  readonly connections: number;
  readonly seconds: number;
  readonly quickSeconds: number;
  readonly timeoutSeconds: number;
  /** Worker threads; default: as many as a run on this machine gets. */
  readonly threads?: number;
}

/** A behaviour of real servers, with a load that shows whether the engine measures it correctly. */
export interface Behaviour {
  readonly id: string;
  readonly title: string;
  readonly story: string;
  readonly load: BehaviourLoad;
  /** Returns the action for a request; called once per request in the order of arrival. */
  act(asked: BehaviourRequest, dice: Dice): Act;
  /** Times that derive from the behaviour itself, in addition to the server's log. */
  readonly tail: Tail | null;
}

/** A periodic pause of the whole server. */
export interface Tail {
  readonly periodUs: number;
  readonly fromUs: number;
  readonly lengthUs: number;
  /** Time of a response outside of the pause. */
  readonly usualUs: number;
}

/** Returns a complete response of 64 bytes at once, with the changes of a behaviour. */
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

/** The default load: enough connections to interleave, few enough that neither side queues. */
export const USUAL_LOAD: BehaviourLoad = { connections: 6, seconds: 3, quickSeconds: 1, timeoutSeconds: 20 };

export const MS = 1_000;
