import { toProblem } from '#core/base/errors.ts';
import type { Requirement } from '../figures/requirement.ts';
import type { Section } from '../parts/part.ts';
import type { Cores } from '../running/cores.ts';
import type { App } from './app.ts';
import type { KindName } from './options.ts';

export interface KindContext {
  readonly app: App;
  readonly cores: Cores;
  /** Number of repeats that were requested. */
  readonly runs: number;
  readonly seed: number;
  /** A folder for files of servers. It is removed at the end. */
  readonly folder: string;
  /** Returns whether work of this duration, in seconds, fits into the remaining time. */
  readonly hasTimeFor: (seconds: number) => boolean;
  readonly signal: AbortSignal;
  readonly notify: (line: string) => void;
}

export interface KindResult {
  readonly kind: KindName;
  readonly sections: readonly Section[];
  readonly requirements: readonly Requirement[];
  /** What was not measured, each with the reason. */
  readonly failed: readonly string[];
  /** All individual results, for the JSON output. */
  readonly data: unknown;
}

/** Measures repeatedly whether the app reaches one kind of conclusion whose true result is known. */
export type Kind = (context: KindContext) => Promise<KindResult>;

export interface Repeated<Value> {
  readonly made: readonly Value[];
  /** The reasons of the failures, each as a sentence. */
  readonly failed: readonly string[];
  /** The requirement that no repeat may fail. */
  readonly complete: Requirement;
}

/**
 * Repeats a measurement while there is time. If a repeat fails, that is reported and the next one begins. Rejects when the signal aborts.
 */
export async function repeatInTime<Value>(
  { runs, hasTimeFor, signal, notify }: Pick<KindContext, 'runs' | 'hasTimeFor' | 'signal' | 'notify'>,
  { what, secondsEach }: { readonly what: string; readonly secondsEach: number },
  make: (index: number) => Promise<Value>,
): Promise<Repeated<Value>> {
  const made: Value[] = [];
  const failed: string[] = [];
  for (let index = 0; index < runs; index += 1) {
    signal.throwIfAborted();
    if (!hasTimeFor(secondsEach)) {
      notify(`the time is used up after ${index} of ${runs}`);
      break;
    }
    try {
      made.push(await make(index));
    } catch (thrown) {
      signal.throwIfAborted();
      const { message, hint } = toProblem(thrown);
      failed.push(`${what}: ${index + 1} of ${runs} could not be made: ${message} ${hint}`);
      notify(`${index + 1} of ${runs} could not be made: ${message} ${hint}`);
    }
  }
  const complete: Requirement = { what: `${what} made`, value: made.length, unit: '', limit: { kind: 'atLeast', value: runs }, aim: null };
  return { made, failed, complete };
}
