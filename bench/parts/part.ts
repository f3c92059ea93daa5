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
  readonly tell: (line: string) => void;
}

export interface Section {
  readonly title: string;
  /** What was done and what the columns mean. */
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

export interface PartResult {
  readonly part: string;
  readonly sections: readonly Section[];
  readonly requirements: readonly Requirement[];
  /** Every single measurement, for the JSON. */
  readonly data: unknown;
}

export type Part = (context: BenchContext) => Promise<PartResult>;

/** A tool gets a minute beyond its test to start, to wait for what is owed and to count. */
export function limitsOf({ options, cores, signal }: BenchContext): CommandLimits {
  return { core: cores.generator, timeoutSeconds: options.seconds + 60, signal };
}

/** A figure of each round of a subject; nulls where it was not measured, none when the subject was not there at all. */
export function byRound<Value extends { readonly measurement: Measurement }>(
  tracks: readonly Track<Value>[],
  id: string,
  pick: (value: Value) => number | null,
): ByRound {
  return tracks.find((track) => track.id === id)?.rounds.map(({ value }) => pick(value)) ?? [];
}
