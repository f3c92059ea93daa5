import { WANTED_CORES } from '../running/cores.ts';
import { integer, RESULTS } from '../running/readOptions.ts';

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

const listDefaults = (of: 'runs' | 'minutes'): string => KIND_NAMES.map((name) => `${name}: ${DEFAULTS[name][of]}`).join(', ');

export const OPTIONS = {
  runs: integer(`runs of each kind (${listDefaults('runs')})`, null, 1_000),
  // A repeat is not started if it usually takes longer than the remaining time.
  minutes: integer(`approximate maximum minutes of each kind (${listDefaults('minutes')})`, null, 600),
  seed: integer('seed, to repeat a draw; random by default', null, 4_294_967_295),
  cores: WANTED_CORES,
  results: RESULTS,
};
