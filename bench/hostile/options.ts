import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ENGINES, type LoadEngine } from './plans.ts';
import { readInteger } from '../running/readInteger.ts';

export const PART_NAMES = ['load', 'secure', 'paced', 'journey', 'pages', 'monitors', 'calls', 'terminal'] as const;
export type PartName = (typeof PART_NAMES)[number];

export interface HostileOptions {
  readonly parts: readonly PartName[];
  /** Engines that the part `load` uses. */
  readonly engines: readonly LoadEngine[];
  /** Duration of each part, in seconds. */
  readonly seconds: number;
  /** Seed for all random values that the server sends. */
  readonly seed: number;
  readonly results: string;
  readonly help: boolean;
}

export const HOSTILE_USAGE = `node bench/main.ts hostile [options]
  --seconds N             length of each part (600)
  --only A,B              of ${PART_NAMES.join(', ')}
  --engine A,B            of ${ENGINES.join(', ')}: which of them make the part load
  --seed N                what the server says (1)
  --results DIRECTORY     (bench/results)
  --help                  this`;

const text = { type: 'string' } as const;
const defaultResults = fileURLToPath(new URL('../results/', import.meta.url));

/** Parses the options of the hostile campaign. @throws with every problem at once, one per line, and the usage. */
export function parseHostileOptions(parameters: readonly string[]): HostileOptions {
  const { values } = parseArgs({
    args: [...parameters],
    options: { seconds: text, only: text, engine: text, seed: text, results: text, help: { type: 'boolean' } },
  });
  const problems: string[] = [];
  const readNames = <Name extends string>(name: 'only' | 'engine', all: readonly Name[]): readonly Name[] => {
    const writtenTexts = values[name]?.split(',');
    for (const one of writtenTexts ?? [])
      if (!all.some((knownName) => knownName === one)) problems.push(`--${name} ${one}: there are ${all.join(', ')}.`);
    return writtenTexts === undefined ? all : all.filter((knownName) => writtenTexts.includes(knownName));
  };
  const options: HostileOptions = {
    parts: readNames('only', PART_NAMES),
    engines: readNames('engine', ENGINES),
    seconds: readInteger('seconds', values.seconds, 86_400, problems) ?? 600,
    seed: readInteger('seed', values.seed, 4_294_967_295, problems) ?? 1,
    results: values.results ?? defaultResults,
    help: values.help ?? false,
  };
  if (problems.length > 0) throw new Error(`${problems.join('\n')}\n\n${HOSTILE_USAGE}`);
  return options;
}
