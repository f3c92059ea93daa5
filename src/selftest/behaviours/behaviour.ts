/** Chance that can be repeated: the same seed gives the same throws. */
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

  /** A time from the exponential distribution: its quantile function −mean·ln(1 − u). */
  exponential(mean: number): number {
    return -mean * Math.log(1 - this.next());
  }

  /** True for exactly one of each `size` requests in a row, at a place that chance chooses. */
  isOneOf(size: number, index: number): boolean {
    if (index % size === 0 || !this.drawn.has(size)) this.drawn.set(size, Math.floor(this.next() * size));
    return index % size === this.drawn.get(size);
  }
}

/** What the server does with one request. Times are in microseconds and count from the first request that it got. */
export type Act =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly bodyBytes: number;
      /** When the answer leaves; at once when it has passed. */
      readonly dueUs: number;
      /** Closes the connection after the answer. */
      readonly close: boolean;
      /** Bytes at the end of the body that are announced and never sent; the connection is closed instead. */
      readonly cutBytes: number;
      /** All but the last of these bytes leave as soon as the request is there, the last one when the answer is due. */
      readonly sendsAhead: boolean;
      readonly version: '1.0' | '1.1';
    }
  | { readonly kind: 'reset' }
  | { readonly kind: 'silence' };

export interface Asked {
  /** Requests that came before this one. */
  readonly index: number;
  /** When it was read completely. */
  readonly atUs: number;
}

/** The closed load that a behaviour is measured with. */
export interface BehaviourLoad {
  readonly connections: number;
  readonly seconds: number;
  readonly quickSeconds: number;
  readonly timeoutSeconds: number;
  /** Worker threads; left out, as many as a run on this machine gets. */
  readonly threads?: number;
}

/** Something that servers do, with a load that shows whether the engine sees it as it is. */
export interface Behaviour {
  readonly id: string;
  readonly title: string;
  readonly story: string;
  readonly load: BehaviourLoad;
  /** What becomes of a request; called once for each, in the order of their arrival. */
  act(asked: Asked, dice: Dice): Act;
  /** Times that follow from the behaviour itself, beside those that the server logs. */
  readonly tail: Tail | null;
}

/** A pause of the whole server that comes again and again. */
export interface Tail {
  readonly periodUs: number;
  readonly fromUs: number;
  readonly lengthUs: number;
  /** What an answer takes outside of the pause. */
  readonly usualUs: number;
}

/** A complete answer of 64 bytes at once; behaviours say what they do differently. */
export function answer(changes: Partial<Extract<Act, { kind: 'answer' }>> = {}): Act {
  return {
    kind: 'answer',
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

/** The usual load: enough connections to mix with each other, few enough that neither side queues. */
export const USUAL_LOAD: BehaviourLoad = { connections: 6, seconds: 3, quickSeconds: 1, timeoutSeconds: 20 };

export const MS = 1_000;
