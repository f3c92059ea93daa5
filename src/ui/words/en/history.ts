import { START_A_TEST } from './common.ts';

export const SEARCH_RUNS = 'Search by name, target or note';

export const history = {
  title: 'History',
  story: 'Every run on this computer, with its verdict.',
  /** Texts of the list of active runs, at the top. */
  running: { title: 'Running now', name: 'Name', progress: 'Progress', target: 'Target', of: (name: string) => `Progress of “${name}”` },
  search: SEARCH_RUNS,
  filter: 'Verdict',
  all: 'All',
  columns: {
    choose: 'Select to compare',
    name: 'Name',
    target: 'Target',
    when: 'When',
    verdict: 'Verdict',
    rate: 'Responses/s',
    p95: 'p95',
    note: 'Note',
    actions: 'Actions',
  },
  /** Text next to the verdict of a run that was judged by older rules. */
  olderRules: 'older rules',
  /** Text for screen readers in place of a sparkline. */
  trend: (runs: string, first: string, last: string) => `p95 over ${runs} similar runs: first ${first}, now ${last}`,
  /** Texts for the size of a run's load, by which runs with the same name can be distinguished. */
  load: {
    levels: {
      connections: (level: string, isOne: boolean) => `${level} ${isOne ? 'connection' : 'connections'}`,
      users: (level: string, isOne: boolean) => `${level} ${isOne ? 'user' : 'users'}`,
      arrivalsPerSecond: (level: string) => `${level}/s`,
    },
    forTime: (level: string, seconds: string) => `${level} for ${seconds}`,
    forRequests: (level: string, requests: string) => `${requests} requests over ${level}`,
  },
  showRuns: (name: string) => `Runs of “${name}”`,
  loading: 'the runs',
  empty: {
    title: 'No runs',
    text: 'Finished tests appear here with their results, including those from the command line.',
    action: START_A_TEST,
  },
  nothingFound: { title: 'No matching runs', text: 'The filters hide every run.', action: 'Clear the filters' },
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
  restored: (name: string) => `“${name}” was restored.`,
};

/** Texts about baselines, with which later runs of the same question are compared. Counts and dates are passed in formatted. */
export const baseline = {
  title: 'Compared with the baseline',
  loading: 'the baseline',
  none: 'This question has no baseline. Set one to compare later runs at the same target with it, here and in the history.',
  isPart: (runs: string) =>
    runs === '1'
      ? 'This run is the baseline. Later runs of this question at this target are compared with it.'
      : `This run is one of ${runs} baseline runs. Later runs of this question at this target are compared with them.`,
  isEarlier: 'The baseline is a later run, so this run is not compared with it.',
  few: 'Five or more runs are needed to separate differences from chance. Select them in the history, or use a run of a series with repeats.',
  of: (runs: string, when: string) => `Baseline: ${runs} ${runs === '1' ? 'run' : 'runs'}, set ${when}`,
  name: 'Set as baseline',
  replace: 'Replace the baseline with this run',
  nameChosen: 'Set as baseline',
  takeBack: 'Remove the baseline',
  named: (runs: string) => (runs === '1' ? 'The run is now the baseline.' : `${runs} runs are now the baseline.`),
  takenBack: 'The baseline was removed.',
  figures: {
    title: 'All figures',
    caption: 'All figures compared with the baseline',
    baseline: 'Baseline',
    run: 'This run',
    repeats: 'This run and its repeats',
  },
  inHistory: {
    isBaseline: 'baseline',
    worse: 'worse than the baseline',
    better: 'better than the baseline',
    different: 'differs from the baseline',
    withinNoise: 'within noise of the baseline',
    tooFew: 'baseline: too few runs',
    refused: 'baseline: another plan',
  },
};

/** Texts of the card about earlier and later runs of the same test. */
export const runHistory = {
  title: 'Runs of this test over time',
  noChange: (count: number) =>
    `No change of p95 or throughput in ${count} runs with this name, target and load that is larger than their noise.`,
  open: 'Open that run',
  p95: 'p95',
  throughput: 'Throughput',
  errors: 'Error rate',
  aboutErrors: 'with 95 % intervals',
  errorIntervals: 'The intervals of the error rate assume that requests fail independently of each other.',
  axis: 'Start of the run',
  change: 'Change',
};
