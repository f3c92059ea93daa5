import { describe, expect, it } from 'vitest';
import { HoldfastError } from '../errors.ts';
import { type GivenOptions, type LabOption, labOptionSchema } from './listing.ts';
import { describeOption, readOptions } from './readOptions.ts';

const makeOption = (option: object): LabOption => labOptionSchema.parse({ label: 'label', ...option });
const OPTIONS = {
  workers: makeOption({ kind: 'number', default: 4, min: 1, max: 64, label: 'Workers', help: 'Requests at a time' }),
  share: makeOption({ kind: 'number', default: 0, min: 0, max: 1, whole: false, unit: '%' }),
  seed: makeOption({ kind: 'number', default: null, unset: 'random', min: 0, max: 100 }),
  cache: makeOption({ kind: 'switch', default: true }),
  slow: makeOption({ kind: 'switch', default: false }),
  mode: makeOption({ kind: 'choice', default: 'sync', choices: ['sync', 'threads'].map((value) => ({ value, label: value })) }),
  socket: makeOption({ kind: 'path', default: null }),
};
const DEFAULTS = { workers: 4, share: 0, seed: null, cache: true, slow: false, mode: 'sync', socket: null };

function makeHint(given: GivenOptions): string {
  try {
    readOptions(OPTIONS, given);
  } catch (error) {
    if (error instanceof HoldfastError) return error.hint ?? '';
  }
  return 'accepted';
}

describe('readOptions', () => {
  it('uses defaults for missing options', () => {
    expect(readOptions(OPTIONS, {})).toEqual(DEFAULTS);
  });

  it.each<[GivenOptions, object]>([
    [{ workers: '1' }, { workers: 1 }],
    [{ workers: 64 }, { workers: 64 }],
    [{ workers: null }, { workers: 4 }],
    [{ share: '0.25' }, { share: 0.25 }],
    [{ seed: '7' }, { seed: 7 }],
    [{ seed: 'random' }, { seed: null }],
    [{ seed: null }, { seed: null }],
    ...(['off', 'false', 'no', false] as const).map((off): [GivenOptions, object] => [{ cache: off }, { cache: false }]),
    ...(['on', 'true', 'yes', true] as const).map((on): [GivenOptions, object] => [{ slow: on }, { slow: true }]),
    [{ mode: 'threads' }, { mode: 'threads' }],
    [{ socket: '/run/server.sock' }, { socket: '/run/server.sock' }],
    [{ socket: null }, { socket: null }],
  ])('parses %j', (given, read) => {
    expect(readOptions(OPTIONS, given)).toEqual({ ...DEFAULTS, ...read });
  });

  it.each<[GivenOptions, string]>([
    [{ workers: '0' }, '--workers takes a whole number from 1 to 64, not “0”.'],
    [{ workers: '65' }, '--workers takes a whole number from 1 to 64, not “65”.'],
    [{ workers: '1.5' }, '--workers takes a whole number from 1 to 64, not “1.5”.'],
    [{ workers: ' ' }, '--workers takes a whole number from 1 to 64, not “ ”.'],
    [{ workers: true }, '--workers takes a whole number from 1 to 64, not “true”.'],
    [{ share: '1.01' }, '--share takes a number from 0 to 1, not “1.01”.'],
    [{ seed: 'off' }, '--seed takes a whole number from 0 to 100 or “random”, not “off”.'],
    [{ cache: 'perhaps' }, '--cache takes on or off, not “perhaps”.'],
    [{ mode: 'fibers' }, '--mode takes one of sync, threads, not “fibers”.'],
    [{ socket: '' }, '--socket takes a path.'],
    [{ toString: '1' }, 'There is no option --toString. There are: --workers, --share, --seed, --cache, --slow, --mode, --socket.'],
    [{ workers: '0', mode: 'x' }, '--workers takes a whole number from 1 to 64, not “0”.\n--mode takes one of sync, threads, not “x”.'],
  ])('rejects %j with every reason', (given, hint) => {
    expect(makeHint(given)).toBe(hint);
  });

  it.each([
    ['workers', '--workers N  (4; 1 to 64)  Workers. Requests at a time'],
    ['share', '--share N  (0 %; 0 to 1 %)  label'],
    ['seed', '--seed N  (random; 0 to 100)  label'],
    ['cache', '--cache on|off  (on)  label'],
    ['slow', '--slow on|off  (off)  label'],
    ['mode', '--mode sync|threads  (sync)  label'],
    ['socket', '--socket PATH  label'],
  ] as const)('describes an option in one line: %s', (name, line) => {
    expect(describeOption(name, OPTIONS[name])).toBe(line);
  });
});
