import { VISITING_PAGES, TITLES } from '#core/presentation/document/words.ts';

export const NO_FIGURES_YET = 'No data.';
/** Status between two runs. */
export const WAITING_FOR_SERVER = 'waiting for the server';
export const WAITING_FOR_CONNECTIONS = 'waiting for connections to close';

/** Texts about series. Counts and measurements are passed in formatted. */
export const series = {
  page: 'Series',
  notThere: 'Series not found',
  loading: 'the series',
  partOf: (name: string, cell: string) => `Part of the series “${name}”: ${cell}`,
  inHistory: (name: string) => `Series “${name}”`,
  shownRuns: (count: string) => (count === '1' ? '1 run' : `${count} runs`),
  facts: (parts: readonly string[]) => parts.join(' · '),
  done: (done: string, planned: string) => `${done} of ${planned} runs`,
  states: { running: 'Running', finished: 'Finished', stopped: 'Stopped', failed: 'Error', interrupted: 'Interrupted' },
  ended: {
    running: '',
    finished: '',
    stopped: 'This series was stopped. Finished cells are kept.',
    failed: 'This series ended with an error. Finished cells are kept.',
    interrupted: 'This series was interrupted. Finished cells are kept.',
  },
  /** Texts about comparing two server versions, against which several runs are made in turn. */
  versions: {
    title: 'Compare two versions',
    story: 'Five runs of each version in turn show whether one is faster, and by how much, beyond chance.',
    a: 'Address of version A',
    b: 'Address of version B',
    connections: 'Connections',
    connectionsHelp: 'Each sends its next request after a response.',
    seconds: 'Duration of each run',
    secondsUnit: 's',
    repeats: 'Runs of each version',
    repeatsHelp: 'Fewer than five cannot separate the versions from chance.',
    wrongNumber: 'Enter a whole number above 0.',
    sameAddress: 'Both addresses are the same. Start the other version at an address of its own, and enter it.',
    oneAddress: 'Both runs tested the same address. Start the other version beside it, and enter its address.',
    differentTests: 'The two runs differ in more than their address. Both versions get the test of the first run.',
    ofRuns: (name: string, load: string) => `Test: “${name}”, ${load}.`,
    outline: (runs: string, seconds: string | null) =>
      seconds === null
        ? `${runs} runs in turn. How long they take depends on the server.`
        : `${runs} runs in turn, which take at least ${seconds}.`,
    start: 'Compare the versions',
    /** Label on the page Check, next to the start of a single run. */
    instead: 'Compare with a second version instead',
    insteadStory: 'This test is run five times against each version, in turn. One table shows the differences beyond chance.',
  },
  stop: 'Stop the series',
  stopping: 'Stopping …',
  again: 'Run the series again',
  resume: (runs: string) => `Continue with the ${runs} remaining ${runs === '1' ? 'run' : 'runs'}`,
  remove: {
    button: 'Delete the series',
    title: 'Delete this series?',
    story: 'Its table is deleted. Its runs stay in the history with their results.',
    confirm: 'Delete the series',
  },
  againByCommand: 'This series runs commands on the computer. Start it on the command line: holdfast series FILE.',
  save: { csv: 'Save the table (CSV)', json: 'Save everything (JSON)' },
  table: {
    title: 'All cells',
    runs: 'Runs',
    openRun: (cell: string, repeat: number) => `Run ${repeat} of ${cell}`,
    now: (rate: string, p95: string, sent: string) => `now ${rate}, p95 ${p95}, ${sent} requests`,
  },
  cellStates: {
    waiting: 'Waiting',
    running: 'Running',
    value: 'Measured',
    refused: 'Refused',
    aborted: 'Aborted',
    unread: 'No result',
    notRun: 'Not run',
  },
  phases: {
    before: 'commands before the run',
    ready: WAITING_FOR_SERVER,
    visits: VISITING_PAGES,
    load: 'under load',
    after: 'commands after the run',
    rest: WAITING_FOR_CONNECTIONS,
  },
  matrix: { title: 'Matrix', show: 'Show' },
  best: (cell: string) => `Best: ${cell}`,
  behaviour: TITLES.behaviour,
  otherBehaviours: (count: string) => `${count} more`,
  lookAt: TITLES.lookAt,
  conclusion: TITLES.findings,
  differences: 'Compared with the first variant',
  moreDifferences: (count: string) => `${count} differences that may be chance`,
  effects: TITLES.effects,
  smallest: { title: TITLES.smallest, all: 'Machines by size' },
  fit: { title: TITLES.fits, show: 'Fit and measurements' },
  alongCharts: { levels: 'By level', factor: 'By factor', repeats: 'By repeat' },
  at: 'At',
  charts: { throughput: 'Throughput', within: 'p95', failures: 'Failed requests', empty: NO_FIGURES_YET },
  overTime: 'Over time',
  overTimeStory: 'The median run of each variant.',
  commands: TITLES.commands,
  commandsSummary: (count: string) => `${count} run on this computer`,
  commandWhen: { before: 'before', after: 'after' },
  commandEnded: (code: number | null, seconds: string) =>
    code === null ? `killed after ${seconds}` : `exit code ${code} after ${seconds}`,
  noOutput: 'No output.',
};
