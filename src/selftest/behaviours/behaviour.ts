import type { Dice } from './dice.ts';

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
