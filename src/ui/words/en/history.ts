import { inARow } from '#core/plan/hosts/places.ts';
import { START_A_TEST } from './common.ts';

export const SEARCH_RUNS = 'Search by name, target or note';
const PASTE_INTO_SHELL = 'Paste it into a shell of Linux or macOS.';

export const history = {
  title: 'History',
  story: 'Every run on this computer, with its verdict.',
  search: SEARCH_RUNS,
  filter: 'Verdict',
  all: 'All',
  columns: {
    choose: 'Choose to compare',
    name: 'Name',
    target: 'Target',
    when: 'When',
    verdict: 'Verdict',
    rate: 'Answers per second',
    p95: '19 of 20 within',
    note: 'Note',
    actions: 'Actions',
  },
  /** Read out in place of a small line. */
  trend: (runs: string, first: string, last: string) => `19 of 20 within, over ${runs} runs like this one: first ${first}, now ${last}`,
  loading: 'the runs',
  empty: {
    title: 'No runs yet',
    text: 'When a test has run, it stays here with its result, also tests from the command line.',
    action: START_A_TEST,
  },
  nothingFound: { title: 'No run fits', text: 'No run has these words and this verdict.', action: 'Show all runs' },
  count: (from: string, to: string, total: string) => `${from} to ${to} of ${total}`,
  pages: 'Pages of the list',
  previous: 'Previous',
  next: 'Next',
  rename: (name: string) => `Rename “${name}”`,
  renameLabel: 'Name of the run',
  note: (name: string) => `Note on “${name}”`,
  noteLabel: 'Note',
  again: (name: string) => `Run “${name}” again`,
  remove: (name: string) => `Delete “${name}”`,
  removed: (name: string) => `“${name}” was deleted.`,
  restored: (name: string) => `“${name}” is back.`,
};

/** Words of baselines: runs that later ones of the same question are set against. Counts and dates arrive formatted. */
export const baseline = {
  title: 'Against the baseline',
  loading: 'the baseline',
  none: 'No run is the baseline of this question yet. Name one, and later runs at the same target are set against it here and in the history.',
  isPart: (runs: string) =>
    runs === '1'
      ? 'This run is the baseline: later ones of this question at this target are set against it.'
      : `This run is one of ${runs} that are the baseline: later ones of this question at this target are set against them.`,
  isEarlier: 'A later run is the baseline of this question: what came before it is not set against it.',
  few: 'Five runs or more tell how far runs differ by themselves; with fewer, no difference is claimed. Choose them in the history, or name a run of a series with repeats.',
  of: (runs: string, when: string) => `The baseline: ${runs} ${runs === '1' ? 'run' : 'runs'}, named ${when}`,
  name: 'Make this run the baseline',
  replace: 'Make this run the baseline instead',
  nameChosen: 'Make them the baseline',
  takeBack: 'Take the baseline back',
  named: (runs: string) => (runs === '1' ? 'The run is the baseline now.' : `${runs} runs are the baseline now.`),
  takenBack: 'There is no baseline of this question any more.',
  figures: {
    title: 'Every figure',
    caption: 'Every figure beside the baseline',
    baseline: 'The baseline',
    run: 'This run',
    repeats: 'This run and its repeats',
  },
  inHistory: {
    isBaseline: 'baseline',
    worse: 'worse than the baseline',
    better: 'better than the baseline',
    different: 'differs from the baseline',
    withinNoise: 'within noise of the baseline',
    tooFew: 'baseline: too few runs to tell',
    refused: 'baseline: another plan',
  },
};

/** Words of the button that writes a plan as other tools are told it. */
export const exports = {
  button: 'Repeat elsewhere',
  kinds: {
    k6: 'As a script of k6',
    artillery: 'As a script of Artillery',
    curl: 'As commands of curl',
    ab: 'As a command of ab',
  },
  titles: {
    k6: 'The same test in k6',
    artillery: 'The same test in Artillery',
    curl: 'Its requests by curl',
    ab: 'The same test by ab (ApacheBench)',
  },
  refused: {
    k6: 'k6 cannot run this test.',
    artillery: 'Artillery cannot run this test.',
    curl: 'curl cannot send these requests.',
    ab: 'ab cannot run this test.',
  },
  text: 'What to run',
  run: {
    k6: 'Save it, and run it: k6 run script.js',
    artillery: 'Save it, and run it: artillery run artillery.yaml',
    curl: PASTE_INTO_SHELL,
    ab: PASTE_INTO_SHELL,
  },
  environment: (names: readonly string[]) => `Secrets are not in it. Before you run it, set ${inARow(names)}.`,
  feeds: (kind: string) => `Rows of lists are not in it. On the command line, holdfast export ${kind} writes them beside it.`,
  beside: (name: string) => `Save ${name}, too`,
  notes: 'What is otherwise than here',
};
