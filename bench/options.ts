import { WANTED_CORES } from './running/cores.ts';
import { flag, integer, names, type OptionValues, RESULTS, splitList } from './running/readOptions.ts';
import { SUBJECTS } from './subjects/registry.ts';
import { parseDelay, type Delay } from './targets/delays.ts';

export const PART_NAMES = ['speed', 'https', 'http2', 'times', 'arrivals'] as const;
export type PartName = (typeof PART_NAMES)[number];

const SUBJECT_IDS = SUBJECTS.map(({ id }) => id);

/** Options of the comparison with other generators. */
export const OPTIONS = {
  rounds: integer('measurements of each generator in each part', 5, 100),
  seconds: integer('duration of each measurement', 5, 600),
  connections: integer('number of connections', 50, 1_000),
  rate: integer('requests per second of the part arrivals', 1_000, 50_000),
  delays: {
    shape: 'A,B',
    help: 'response times of the servers of the part times: fixed:MS, exponential:MEAN_MS, bimodal:MS:SLOW_MS:SHARE (fixed:20,exponential:20)',
    read: ([text = 'fixed:20,exponential:20']: readonly string[]) => splitList(text).map(readDelay),
  },
  subjects: names('generators', SUBJECT_IDS),
  tool: {
    shape: 'NAME=PATH',
    help: 'path of a generator that is not in the PATH (repeatable)',
    read: (texts: readonly string[]) => new Map(texts.map(readTool)),
  },
  cores: WANTED_CORES,
  results: RESULTS,
  publish: flag('also write the figures to docs/bench.md'),
  list: flag('only list the installed generators'),
};
export type BenchOptions = OptionValues<typeof OPTIONS> & { readonly parts: readonly PartName[] };

function readDelay(text: string): { readonly text: string; readonly delay: Delay } {
  const delay = parseDelay(text);
  if (delay === null) throw new TypeError('write fixed:MS, exponential:MEAN_MS or bimodal:MS:SLOW_MS:SHARE.');
  return { text, delay };
}

function readTool(text: string): [id: string, path: string] {
  const [, id = '', path = ''] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (path === '') throw new TypeError('write NAME=PATH.');
  if (!SUBJECT_IDS.includes(id)) throw new TypeError(`unknown generator ${id}; known are ${SUBJECT_IDS.join(', ')}.`);
  return [id, path];
}
