import type { BenchOptions } from '../options.ts';
import type { Cores } from '../running/cores.ts';
import type { Requirement } from '../figures/requirement.ts';
import type { ByRound } from '../figures/statistics.ts';
import type { Found } from '../running/findSubjects.ts';
import type { Measurement } from '../running/measureSubject.ts';
import type { Track } from '../running/rounds.ts';
import type { CommandLimits } from '../running/runCommand.ts';

export interface BenchContext {
  readonly options: BenchOptions;
  readonly found: readonly Found[];
  readonly cores: Cores;
  readonly signal: AbortSignal;
  readonly notify: (line: string) => void;
}

export interface Section {
  readonly title: string;
  /** Explanation of the method and of the columns. */
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface PartResult {
  readonly part: string;
  readonly sections: readonly Section[];
  readonly requirements: readonly Requirement[];
  /** All individual measurements, for the JSON output. */
  readonly data: unknown;
}

export type Part = (context: BenchContext) => Promise<PartResult>;

/**
 * Returns the limits for a command. A tool gets one minute in addition to the duration of its test, for its start, outstanding requests and
 * evaluation.
 */
export function commandLimits({ options, cores, signal }: BenchContext): CommandLimits {
  return { core: cores.generator, timeoutSeconds: options.seconds + 60, signal };
}

/** Returns a figure of a subject for each round: null where it is missing, and an empty list if the subject is missing. */
export function byRound<Value extends { readonly measurement: Measurement }>(
  tracks: readonly Track<Value>[],
  id: string,
  pick: (value: Value) => number | null,
): ByRound {
  return tracks.find((track) => track.id === id)?.rounds.map(({ value }) => pick(value)) ?? [];
}
