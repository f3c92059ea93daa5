import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readCores, type WantedCores } from '../running/cores.ts';
import { readInteger } from '../running/readInteger.ts';

export const KIND_NAMES = ['healthy', 'causes', 'differences', 'hidden', 'breaking-point', 'same'] as const;
export type KindName = (typeof KIND_NAMES)[number];

/** Default number of repeats and default duration, for each kind. */
export const DEFAULTS: Readonly<Record<KindName, { readonly runs: number; readonly minutes: number }>> = {
  healthy: { runs: 100, minutes: 8 },
  causes: { runs: 60, minutes: 15 },
  differences: { runs: 10, minutes: 6 },
  hidden: { runs: 10, minutes: 10 },
  'breaking-point': { runs: 5, minutes: 8 },
  same: { runs: 300, minutes: 45 },
};

export interface ConclusionsOptions {
  readonly kinds: readonly KindName[];
  /** Number of repeats of each kind; null means the default of the kind. */
  readonly runs: number | null;
  /** Time limit in minutes. Nothing is begun that usually takes longer than the remaining time. null means the default of each kind. */
  readonly minutes: number | null;
  /** Seed for all random values; null means a random seed. */
  readonly seed: number | null;
  readonly cores: WantedCores | null;
  /** Folder for the results. */
  readonly results: string;
  readonly help: boolean;
}

export const CONCLUSIONS_USAGE = `node bench/main.ts conclusions [${KIND_NAMES.join('|')} …] [options]
  --runs N                how many of each kind (${KIND_NAMES.map((name) => `${name}: ${DEFAULTS[name].runs}`).join(', ')})
  --minutes N             about how long each kind may take (${KIND_NAMES.map((name) => `${name}: ${DEFAULTS[name].minutes}`).join(', ')})
  --seed N                draw the same servers again; left out, others each time
  --cores TARGET,APP      cores to pin to (0,1); --cores free pins nothing
  --results DIRECTORY     (bench/results)
  --help                  this`;

const MAX_SEED = 4_294_967_295;
const TEXT_OPTION = { type: 'string' } as const;
const defaultResults = fileURLToPath(new URL('../results/', import.meta.url));

/** Parses the options of the campaigns. @throws with every problem at once, one per line, and the usage. */
export function parseConclusionsOptions(parameters: readonly string[]): ConclusionsOptions {
  const { values, positionals } = parseArgs({
    args: [...parameters],
    allowPositionals: true,
    options: {
      runs: TEXT_OPTION,
      minutes: TEXT_OPTION,
      seed: TEXT_OPTION,
      cores: TEXT_OPTION,
      results: TEXT_OPTION,
      help: { type: 'boolean' },
    },
  });
  const problems: string[] = [];
  const isKind = (name: string): name is KindName => KIND_NAMES.some((kind) => kind === name);
  for (const name of positionals) if (!isKind(name)) problems.push(`${name}: there is no such kind, only ${KIND_NAMES.join(', ')}.`);
  const chosen = KIND_NAMES.filter((kind) => positionals.includes(kind));
  const options: ConclusionsOptions = {
    kinds: chosen.length === 0 ? KIND_NAMES : chosen,
    runs: readInteger('runs', values.runs, 1_000, problems),
    minutes: readInteger('minutes', values.minutes, 600, problems),
    seed: readInteger('seed', values.seed, MAX_SEED, problems),
    cores: readCores(values.cores, problems),
    results: values.results ?? defaultResults,
    help: values.help ?? false,
  };
  if (problems.length > 0) throw new Error(`${problems.join('\n')}\n\n${CONCLUSIONS_USAGE}`);
  return options;
}
