import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readInteger } from '../running/readInteger.ts';

export interface KillsOptions {
  readonly count: number;
  /** Seed for all random values; null means a random seed. */
  readonly seed: number | null;
  /** Number of trials that run in parallel. */
  readonly atOnce: number;
  /** Names of the crash points; null means all. */
  readonly only: readonly string[] | null;
  readonly results: string;
  readonly help: boolean;
}

export const KILLS_USAGE = `node bench/main.ts kills [options]
  --count N               how many in all (1000)
  --seed N                draw the same ones again; left out, others each time
  --only NAME,…           only these places (see the first column of the table)
  --at-once N             so many beside each other (as there are cores)
  --results DIRECTORY     (bench/results)
  --help                  this`;

const MAX_SEED = 4_294_967_295;
const text = { type: 'string' } as const;

/** Parses the options of the kills campaign. @throws with every problem at once, one per line, and the usage. */
export function parseKillsOptions(parameters: readonly string[], places: readonly string[]): KillsOptions {
  const { values } = parseArgs({
    args: [...parameters],
    options: { count: text, seed: text, 'at-once': text, only: text, results: text, help: { type: 'boolean' } },
  });
  const problems: string[] = [];
  const only = values.only?.split(',').map((name) => name.trim()) ?? null;
  for (const name of only ?? [])
    if (!places.includes(name)) problems.push(`--only ${name}: there is no such place, only ${places.join('; ')}.`);
  const options: KillsOptions = {
    count: readInteger('count', values.count, 100_000, problems) ?? 1_000,
    seed: readInteger('seed', values.seed, MAX_SEED, problems),
    atOnce: readInteger('at-once', values['at-once'], 64, problems) ?? availableParallelism(),
    only,
    results: values.results ?? fileURLToPath(new URL('../results/', import.meta.url)),
    help: values.help ?? false,
  };
  if (problems.length > 0) throw new Error([...problems, KILLS_USAGE].join('\n'));
  return options;
}
