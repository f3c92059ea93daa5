import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { readCores, type WantedCores } from './running/cores.ts';
import { parseDelay, type Delay } from './targets/delays.ts';
import { readInteger } from './running/readInteger.ts';

export const PART_NAMES = ['speed', 'https', 'http2', 'times', 'arrivals'] as const;
export type PartName = (typeof PART_NAMES)[number];

export interface BenchOptions {
  readonly parts: readonly PartName[];
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
  /** Requests per second in the part `arrivals`. */
  readonly rate: number;
  /** Delays of the servers in the part `times`. `text` is the option as it was given. */
  readonly delays: readonly { readonly text: string; readonly delay: Delay }[];
  /** Ids of the subjects; null means all. */
  readonly subjects: readonly string[] | null;
  /** Paths of programs that were given as options, by subject id. */
  readonly tools: ReadonlyMap<string, string>;
  /** Cores to which programs are pinned; null means that nothing is pinned. */
  readonly cores: WantedCores | null;
  /** Folder for the results. */
  readonly results: string;
  /** Whether to print only what would be measured. */
  readonly list: boolean;
  /** Whether to write the results to docs/bench.md, too. */
  readonly publish: boolean;
  readonly help: boolean;
}

export const USAGE = `node bench/main.ts [${PART_NAMES.join('|')} …] [options]
  --rounds N              measurements of each generator in each part (5)
  --seconds N             length of each (5)
  --connections N         (50)
  --rate N                requests per second of the part arrivals (1000)
  --delays A,B            servers of the part times: fixed:MS, exponential:MEAN_MS, bimodal:MS:SLOW_MS:SHARE (fixed:20,exponential:20)
  --subjects A,B          only these generators
  --tool NAME=PATH        where a generator is, when not on the PATH; may be repeated
  --cores TARGET,GENERATOR  cores to pin to (0,1); --cores free pins nothing
  --results DIRECTORY     (bench/results)
  --publish               write what was measured to docs/bench.md too
  --list                  only say which generators there are
  --help                  this

node bench/main.ts conclusions --help    whether what Holdfast concludes is right
node bench/main.ts coverage --help   whether what is said with 95 % confidence is true
node bench/main.ts fuzz --help       whether what strangers write can harm those who read it
node bench/main.ts handshakes --help  TLS handshakes a second, full and resumed, beside openssl s_time
node bench/main.ts hostile --help    whether a hostile server can harm it
node bench/main.ts kills --help      whether it recovers from being killed
node bench/main.ts results [SECONDS]  what making a result of so many seconds (3600) takes`;

const text = { type: 'string' } as const;
const defaultResults = fileURLToPath(new URL('results/', import.meta.url));

/** Parses the options of the bench. @throws with every problem at once, one per line, and the usage. */
export function parseOptions(parameters: readonly string[], subjectIds: readonly string[]): BenchOptions {
  const { values, positionals } = parseArgs({
    args: [...parameters],
    allowPositionals: true,
    options: {
      rounds: text,
      seconds: text,
      connections: text,
      rate: text,
      delays: text,
      subjects: text,
      cores: text,
      results: text,
      tool: { type: 'string', multiple: true },
      list: { type: 'boolean' },
      publish: { type: 'boolean' },
      help: { type: 'boolean' },
    },
  });
  const problems: string[] = [];
  const requireSubject = (id: string, where: string): string => {
    if (!subjectIds.includes(id)) problems.push(`${where} ${id}: there is no such generator, only ${subjectIds.join(', ')}.`);
    return id;
  };
  const isPart = (name: string): name is PartName => PART_NAMES.some((part) => part === name);
  for (const name of positionals) if (!isPart(name)) problems.push(`${name}: there is no such part, only ${PART_NAMES.join(', ')}.`);
  const chosen = PART_NAMES.filter((part) => positionals.includes(part));

  const delays = toList(values.delays ?? 'fixed:20,exponential:20').flatMap((writtenText) => {
    const delay = parseDelay(writtenText);
    if (delay === null) problems.push(`--delays ${writtenText}: write fixed:MS, exponential:MEAN_MS or bimodal:MS:SLOW_MS:SHARE.`);
    return delay === null ? [] : [{ text: writtenText, delay }];
  });
  const tools = (values.tool ?? []).map((writtenText): [string, string] => {
    const [, id = '', path = ''] = /^([^=]+)=(.+)$/.exec(writtenText) ?? [];
    if (path === '') problems.push(`--tool ${writtenText}: write NAME=PATH.`);
    else requireSubject(id, '--tool');
    return [id, path];
  });
  const cores = readCores(values.cores, problems);
  const options: BenchOptions = {
    parts: chosen.length === 0 ? PART_NAMES : chosen,
    rounds: readInteger('rounds', values.rounds, 100, problems) ?? 5,
    seconds: readInteger('seconds', values.seconds, 600, problems) ?? 5,
    connections: readInteger('connections', values.connections, 1_000, problems) ?? 50,
    rate: readInteger('rate', values.rate, 50_000, problems) ?? 1_000,
    delays,
    subjects: values.subjects === undefined ? null : toList(values.subjects).map((id) => requireSubject(id, '--subjects')),
    tools: new Map(tools),
    cores,
    results: values.results ?? defaultResults,
    list: values.list ?? false,
    publish: values.publish ?? false,
    help: values.help ?? false,
  };
  if (problems.length > 0) throw new Error(`${problems.join('\n')}\n\n${USAGE}`);
  return options;
}

function toList(writtenText: string): string[] {
  return writtenText
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}
