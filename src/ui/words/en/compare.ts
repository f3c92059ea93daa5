import { TITLES } from '#core/presentation/document/words.ts';
import { NO_FIGURES_YET } from './series.ts';
import { SEARCH_RUNS } from './history.ts';

/** Texts of the page that compares runs. Numbers are passed in formatted. */
export const compare = {
  page: 'Comparison',
  loading: 'the runs',
  story: 'Differences beyond normal run-to-run variation.',
  noSides: 'Choose the runs to compare.',
  tooFewSides: 'Choose a second run to compare with this one.',
  response: TITLES.findings,
  conclusions: {
    worse: 'Worse',
    better: 'Better',
    different: 'Different',
    withinNoise: 'Within noise',
    tooFew: 'Inconclusive',
    refused: 'Not comparable',
  },
  /** Texts for sides that have too few runs for a conclusion. */
  enough: {
    title: 'Make the comparison conclusive',
    smallest: (change: string) =>
      `Two single runs cannot show a difference under ${change}: response times vary that much within them, and runs differ from each other as well.`,
    unknown: 'So few runs cannot separate a difference from chance.',
    story: 'Run each version five times in turn, by the same test.',
    button: 'Run each five times in turn',
  },
  runs: {
    title: 'Runs',
    story: 'Runs on one side are repeats. Five on each side, run in turn, are enough to separate differences from chance.',
    caption: 'Compared runs and their sides',
    run: 'Run',
    when: 'When',
    side: 'Side',
    getSide: (name: string, when: string) => `Side of “${name}” of ${when}`,
    sideName: (letter: string) => `Side ${letter}`,
    newSide: (letter: string) => `Side ${letter} (new)`,
    /** Label of the button in a table whose rows are shown as lists. */
    takeOut: 'Remove',
    remove: (name: string, when: string) => `Remove “${name}” of ${when}`,
    actions: 'Actions',
    notCounted: (why: string) => `Not counted: ${why}`,
    overloaded: (seconds: string) => `load generator overloaded for ${seconds}`,
  },
  asked: { label: 'Intended change', none: 'Not specified: one thing may differ' },
  add: {
    title: 'Add a run',
    search: SEARCH_RUNS,
    loading: 'the runs',
    none: 'No other run matches.',
    nothing: 'No other finished run.',
    button: 'Add',
    buttonOf: (name: string, when: string) => `Add “${name}” of ${when}`,
    caption: 'Runs to add',
  },
  table: {
    title: (side: string, reference: string) => `${side} compared with ${reference}`,
    none: 'These runs have no figures in common.',
  },
  dissimilar: {
    title: 'Other differences',
    none: 'None recorded: same plan, computer, settings, engine and version. Holdfast does not see changes in the target itself.',
  },
  charts: {
    title: 'Side by side',
    story: 'The median run of each side, aligned at second 0.',
    spread: 'All runs of each side: median and range',
    sides: 'side',
    /** A name that two sides share already contains the letter. */
    sideWithName: (letter: string, name: string) => (name.startsWith(`${letter}: `) ? `Side ${name}` : `Side ${letter}: ${name}`),
    throughput: 'Throughput',
    within: 'p95',
    failures: 'Failed requests',
    empty: NO_FIGURES_YET,
  },
  fromHistory: {
    choose: (name: string, when: string) => `Select “${name}” of ${when} to compare`,
    chosen: (count: string) => `${count} selected`,
    compare: 'Compare',
    needsTwo: 'Select two or more runs to compare.',
    clear: 'Clear selection',
    bar: 'Runs selected for comparison',
  },
  fromResult: 'Compare',
  withRunBefore: 'Compare with the run before',
};
