import { TITLES } from '#core/presentation/document/titles.ts';
import { NO_FIGURES_YET } from './series.ts';
import { SEARCH_RUNS } from './history.ts';

/** Words of the page that lays runs side by side. Numbers arrive formatted. */
export const compare = {
  page: 'Comparison',
  loading: 'the runs',
  story: 'Which differences are more than runs of the same thing differ among themselves.',
  tooFewSides: 'One run alone has nothing to stand beside. Choose another one to compare it with.',
  answer: TITLES.findings,
  conclusions: {
    worse: 'Worse',
    better: 'Better',
    different: 'Different',
    withinNoise: 'Within noise',
    tooFew: 'Not known',
    refused: 'Not claimed',
  },
  runs: {
    title: 'The runs',
    story: 'Runs on one side are repeats of the same thing. Five on each side, made in turn, are enough to tell a difference from chance.',
    caption: 'The runs that are compared, and the side of each',
    run: 'Run',
    when: 'When',
    side: 'Side',
    sideOf: (name: string, when: string) => `Side of “${name}” of ${when}`,
    sideName: (letter: string) => `Side ${letter}`,
    newSide: (letter: string) => `Side ${letter} (new)`,
    /** Beside its button, where rows stand as lists. */
    takeOut: 'Take it out',
    remove: (name: string, when: string) => `Take “${name}” of ${when} out`,
    actions: 'Actions',
    notCounted: (why: string) => `Not counted: ${why}`,
    sick: (seconds: string) => `${seconds} in which the load could not be made as it should`,
  },
  asked: {
    label: 'What was changed on purpose',
    none: 'Not said: one thing may differ',
  },
  add: {
    title: 'Add a run',
    search: SEARCH_RUNS,
    loading: 'the runs',
    none: 'There is no other run with these words.',
    button: 'Add',
    buttonOf: (name: string, when: string) => `Add “${name}” of ${when}`,
    caption: 'Runs that can be added',
  },
  table: {
    title: (side: string, reference: string) => `Figures of ${side} beside ${reference}`,
    none: 'These runs have no figures in common.',
  },
  dissimilar: {
    title: 'What is not the same',
    none: 'Nothing that Holdfast records: the same plan, computer, settings, engine and version. What was changed in the target itself, it does not see.',
  },
  charts: {
    title: 'Side by side',
    story: 'Of each side the run in the middle of its repeats, all from the same second 0.',
    spread: 'All runs of each side: the middle, and from the least to the most',
    sides: 'side',
    throughput: 'Answers',
    within: '19 of 20 within',
    p90: '9 of 10 within',
    failures: 'Failed requests',
    empty: NO_FIGURES_YET,
  },
  fromHistory: {
    choose: (name: string, when: string) => `Choose “${name}” of ${when} to compare`,
    chosen: (count: string) => `${count} chosen`,
    compare: 'Compare',
    needsTwo: 'Choose two runs or more to compare them.',
    clear: 'Choose none',
    bar: 'Runs chosen to compare',
  },
  fromResult: 'Compare',
  withRunBefore: 'Compare with the run before',
};
