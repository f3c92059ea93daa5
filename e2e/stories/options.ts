import { parseArgs } from 'node:util';
import { randomInt } from 'node:crypto';
import type { Mutation } from './framework/scene.ts';

export interface StoryOptions {
  /** Whole ids or their beginnings; none are all. */
  readonly names: readonly string[];
  readonly seed: number;
  readonly list: boolean;
  readonly json: boolean;
  readonly mutation: Mutation | null;
  /** Only the batch of the day, which usually takes no longer. */
  readonly withinSeconds: number | null;
  readonly inNetwork: boolean;
  /** File that gets the outcomes as JSON. */
  readonly report: string | null;
}

export const USAGE = `npm run stories [-- NAME… --seed N --list --json --shift --drop --within SECONDS]
  NAME      id of a story, or how it begins: contest, node-vs-gunicorn/burst
  --seed    draw the same parameters again
  --shift   start the servers with a setting that is a fifth off; every story has to notice
  --drop    lose one answer in a hundred in the recorder; every story has to notice
  --within  only as many as usually take so many seconds: each day others, in turn
  --report  write the outcomes as JSON into this file
`;

const LARGEST_SEED = 2 ** 32;

/** @throws {TypeError} for options there are not. */
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
      within: { type: 'string' },
      report: { type: 'string' },
      'in-network': { type: 'boolean', default: false },
    },
  });
  if (values.shift && values.drop) throw new TypeError('Use --shift or --drop, one at a time.');
  return {
    names: positionals,
    seed: values.seed === undefined ? randomInt(LARGEST_SEED) : numberFrom('--seed', values.seed, 0),
    list: values.list,
    json: values.json,
    mutation: values.shift ? 'shift' : values.drop ? 'drop' : null,
    withinSeconds: values.within === undefined ? null : numberFrom('--within', values.within, 1),
    inNetwork: values['in-network'],
    report: values.report ?? null,
  };
}

function numberFrom(name: string, text: string, least: number): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isInteger(value) || value < least || value > LARGEST_SEED)
    throw new TypeError(`${name} takes a whole number of at least ${least}, not “${text}”.`);
  return value;
}
