import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readInteger } from '../running/readInteger.ts';

export interface FuzzOptions {
  /** Number of inputs per subject; null means the default of the subject. */
  readonly count: number | null;
  readonly only: readonly string[];
  readonly seed: number;
  /** Maximum duration per subject in seconds. */
  readonly seconds: number;
  readonly results: string;
  readonly help: boolean;
}

export const FUZZ_USAGE = `node bench/main.ts fuzz [options]
  --count N           inputs for each parser (1,000,000; framer and window codec 10,000,000; presets 200,000)
  --only NAME         only this parser; may be repeated
  --seed N            of everything that is drawn (1)
  --seconds N         the most for each parser (3600)
  --results DIRECTORY (bench/results)
  --help              this`;

/** Parses the options of fuzzing. @throws with every problem at once, one per line, and the usage. */
export function parseFuzzOptions(parameters: readonly string[], names: readonly string[]): FuzzOptions {
  const text = { type: 'string' } as const;
  const { values } = parseArgs({
    args: [...parameters],
    options: { count: text, only: { type: 'string', multiple: true }, seed: text, seconds: text, results: text, help: { type: 'boolean' } },
  });
  const problems: string[] = [];
  const only = values.only ?? [];
  for (const name of only) if (!names.includes(name)) problems.push(`--only ${name}: there is no such parser, only ${names.join(', ')}.`);
  const options: FuzzOptions = {
    count: readInteger('count', values.count, 1_000_000_000, problems),
    only,
    seed: readInteger('seed', values.seed, 2_147_483_647, problems) ?? 1,
    seconds: readInteger('seconds', values.seconds, 86_400, problems) ?? 3_600,
    results: values.results ?? fileURLToPath(new URL('../results/', import.meta.url)),
    help: values.help ?? false,
  };
  if (problems.length > 0) throw new Error(`${problems.join('\n')}\n\n${FUZZ_USAGE}`);
  return options;
}
