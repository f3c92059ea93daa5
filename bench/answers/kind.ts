import { problemOf } from '#core/base/errors.ts';
import type { Requirement } from '../figures/requirement.ts';
import type { Section } from '../parts/part.ts';
import type { Cores } from '../running/cores.ts';
import type { App } from './app.ts';
import type { KindName } from './options.ts';

export interface KindContext {
  readonly app: App;
  readonly cores: Cores;
  /** How many are wanted. */
  readonly runs: number;
  readonly seed: number;
  /** A folder for what servers write; it is removed at the end. */
  readonly folder: string;
  /** Whether something that takes so many seconds can still be done in the time that there is. */
  readonly hasTimeFor: (seconds: number) => boolean;
  readonly signal: AbortSignal;
  readonly tell: (line: string) => void;
}

export interface KindResult {
  readonly kind: KindName;
  readonly sections: readonly Section[];
  readonly requirements: readonly Requirement[];
  /** What could not be asked, and why. */
  readonly failed: readonly string[];
  /** Every single answer, for the JSON. */
  readonly data: unknown;
}

/** A question of which the right answer is known, asked of the app again and again. */
export type Kind = (context: KindContext) => Promise<KindResult>;

export interface Asked<Value> {
  readonly made: readonly Value[];
  /** Why one could not be made, each in a sentence. */
  readonly failed: readonly string[];
  /** That all were made. */
  readonly complete: Requirement;
}

/** Makes one after the other while there is time. One that fails is told, and the next is made. Rejects when the signal comes. */
export async function eachInTime<Value>(
  { runs, hasTimeFor, signal, tell }: Pick<KindContext, 'runs' | 'hasTimeFor' | 'signal' | 'tell'>,
  { what, secondsEach }: { readonly what: string; readonly secondsEach: number },
  make: (index: number) => Promise<Value>,
): Promise<Asked<Value>> {
  const made: Value[] = [];
  const failed: string[] = [];
  for (let index = 0; index < runs; index += 1) {
    signal.throwIfAborted();
    if (!hasTimeFor(secondsEach)) {
      tell(`the time is used up after ${index} of ${runs}`);
      break;
    }
    try {
      made.push(await make(index));
    } catch (thrown) {
      signal.throwIfAborted();
      const { message, hint } = problemOf(thrown);
      failed.push(`${what}: ${index + 1} of ${runs} could not be made: ${message} ${hint}`);
      tell(`${index + 1} of ${runs} could not be made: ${message} ${hint}`);
    }
  }
  const complete: Requirement = { what: `${what} made`, value: made.length, unit: '', limit: { kind: 'atLeast', value: runs }, aim: null };
  return { made, failed, complete };
}
