import { parseArgs } from 'node:util';
import { randomInt } from 'node:crypto';
import type { Mutation } from './framework/scene.ts';

export interface StoryOptions {
  /** Ids of stories, or beginnings of ids; empty selects all stories. */
  readonly names: readonly string[];
  readonly seed: number;
  readonly list: boolean;
  readonly json: boolean;
  readonly mutation: Mutation | null;
  /**
   * Which parts of the practice servers are broken, one after the other, instead of playing stories: all, or only the storage of
   * acknowledged items. If null, stories are played.
   */
  readonly breaks: 'all' | 'swallow' | null;
  /** Number of cells that are drawn; null for all cells. */
  readonly cells: number | null;
  /** Time limit for the batch of the day, in seconds; null if all stories are played. */
  readonly withinSeconds: number | null;
  readonly inNetwork: boolean;
  /** File to which the outcomes are written as JSON; null if they are not written. */
  readonly report: string | null;
}

export const USAGE = `npm run stories [-- NAME… --seed N --list --json --shift --drop --break --swallow --cells N --within SECONDS]
  NAME      id of a story, or its beginning: contest, node-vs-gunicorn/burst
  --seed    seed of the parameters, to repeat a draw
  --shift   start the servers with a setting that is 20 % off; every story must fail
  --drop    lose 1 % of the responses in the recorder; every story must fail
  --break   break each step of each preset on its practice server; no result may pass
  --swallow only the break in which submitted data are accepted but not stored
  --cells   number of breaks, drawn with the seed
  --within  a batch that usually takes this many seconds; a different one each day
  --report  write the outcomes as JSON to this file
`;

const MAX_SEED = 2 ** 32;

/** Parses the arguments. @throws {TypeError} for unknown options. */
export function readStoryOptions(args: readonly string[]): StoryOptions {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      seed: { type: 'string' },
      list: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      shift: { type: 'boolean', default: false },
      drop: { type: 'boolean', default: false },
      break: { type: 'boolean', default: false },
      swallow: { type: 'boolean', default: false },
      cells: { type: 'string' },
      within: { type: 'string' },
      report: { type: 'string' },
      'in-network': { type: 'boolean', default: false },
    },
  });
  if ([values.shift, values.drop, values.break || values.swallow].filter(Boolean).length > 1)
    throw new TypeError('Use --shift, --drop or --break, one at a time.');
  return {
    names: positionals,
    seed: values.seed === undefined ? randomInt(MAX_SEED) : numberFrom('--seed', values.seed, 0),
    list: values.list,
    json: values.json,
    mutation: values.shift ? 'shift' : values.drop ? 'drop' : null,
    breaks: values.swallow ? 'swallow' : values.break ? 'all' : null,
    cells: values.cells === undefined ? null : numberFrom('--cells', values.cells, 1),
    withinSeconds: values.within === undefined ? null : numberFrom('--within', values.within, 1),
    inNetwork: values['in-network'],
    report: values.report ?? null,
  };
}

function numberFrom(name: string, text: string, least: number): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < least || value > MAX_SEED)
    throw new TypeError(`${name} takes a whole number of at least ${least}, not “${text}”.`);
  return value;
}
