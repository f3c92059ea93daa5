import { UNKNOWN_TEXT } from '#core/base/units.ts';
import { chartNames } from '#core/presentation/charts/names.ts';

export const START_A_TEST = 'Start a new test';

export const common = {
  toHistory: 'Show the history',
  product: 'Holdfast',
  retry: 'Try again',
  copy: 'Copy',
  copied: 'Copied',
  copyFailed: 'Could not copy',
  copyDetails: 'Copy details',
  cancel: 'Cancel',
  close: 'Close',
  save: 'Save',
  /** Label of the button that opens less common actions. */
  more: 'More',
  notKnown: UNKNOWN_TEXT,
  never: 'never',
  wrongNumber: 'Enter a number above 0.',
  waitingFor: (what: string) => `Waiting for ${what} …`,
};

/** Marks of runs: the outcome, or the state of a run that has no outcome. */
export const marks = {
  passed: 'Passed',
  failed: 'Failed',
  inconclusive: 'Inconclusive',
  measured: 'Measured',
  running: 'Running',
  stopped: 'Stopped',
  error: 'Error',
  interrupted: 'Interrupted',
};

export const levels = { ok: 'Passed', info: 'Note', warning: 'Warning', problem: 'Problem', unknown: 'Unknown' };

/** Texts around every chart. Values are passed in formatted. */
export const charts = {
  ...chartNames,
  logarithmic: 'Log scale',
  showTable: 'Show as table',
  showChart: 'Show as chart',
  more: (title: string) => `Copy, save or play “${title}”`,
  playSound: 'Play as sound',
  playing: (line: string) => `Playing ${line}: higher is more`,
  notPlayed: 'Could not play it. Show it as a table instead.',
  copyPng: 'Copy as picture',
  savePng: 'Save as PNG',
  saveSvg: 'Save as SVG',
  copyCsv: 'Copy as CSV',
  saveCsv: 'Save as CSV',
  saved: 'Saved',
  copied: 'Copied',
  notCopied: 'Could not copy. Save it instead.',
  notDrawn: 'Could not create the picture. Save it as SVG or CSV instead.',
  empty: 'No data.',
  at: (elapsed: string, clock: string) => (clock === '' ? `at ${elapsed}` : `at ${elapsed} · ${clock}`),
  spanOf: (elapsed: string, seconds: string) => `${elapsed}, ${seconds}`,
  marks: (title: string) => `${title}: marks of findings`,
  finding: (number: string, sentence: string) => `Finding ${number}: ${sentence}`,
  walk: (title: string) => `${title}: move through time with the arrow keys, select a range with Shift, zoom with Enter`,
  legend: 'Lines: switch on or off',
  zoom: {
    range: (from: string, to: string) => `${from} to ${to}`,
    selected: (from: string, to: string, values: string) => `${from} to ${to} selected. ${values}`,
    leave: 'Show the whole run',
    loading: 'Adding up these seconds …',
    none: 'Nothing was measured in this range.',
    figures: (perSecond: string, p50: string, p95: string, failed: string) =>
      `Throughput ${perSecond} · p50 ${p50} · p95 ${p95} · failed ${failed}`,
    of: (run: string, figures: string) => (run === '' ? figures : `${run}: ${figures}`),
    failedShare: (count: string, share: string) => `${count} (${share})`,
  },
  table: {
    from: 'From',
    clock: 'Clock',
    length: 'Duration',
    shortened: (shownText: string, all: string) => `${shownText} of ${all} points, with every peak. The CSV has all points.`,
  },
  moreCharts: 'More charts',
};

export const app = {
  skipToContent: 'Skip to content',
  navigation: 'Main',
  newTest: 'New test',
  history: 'History',
  /** Text for screen readers in place of a dot, next to the name of the page. */
  runningNow: (count: string) => (count === '1' ? '1 test is running' : `${count} tests are running`),
  hosts: 'Hosts',
  practice: 'Practice',
  calculate: 'Calculate',
  settings: 'Settings',
  find: 'Find',
  findKeys: 'Ctrl-K or ⌘K',
  lost: {
    title: 'The connection to Holdfast was lost.',
    text: 'This page shows the last known state. Tests may still be running, and stored data is safe. Reconnecting …',
    startedAgain: 'If Holdfast was restarted, open the address it printed.',
    retry: 'Reconnect now',
  },
  refused: {
    title: 'Open the address that Holdfast printed',
    heading: 'The token is missing or wrong',
    text: 'The token keeps out other users of this computer and other pages in your browser. It is the end of the address in the terminal where Holdfast was started:',
    address: (origin: string) => `${origin}/#token=…`,
    again: 'Open the full address. Each start creates a new token, so bookmarks and earlier addresses do not work.',
    file: (port: string) => `No terminal? The address is also in the file web/${port}.url in the data folder of Holdfast.`,
  },
  connecting: 'the Holdfast backend',
  page: 'this page',
  notFound: {
    title: 'Page not found',
    heading: 'This address is not a page of Holdfast',
    text: 'Check the address, or choose a page from the menu.',
    action: START_A_TEST,
  },
  crashed: {
    title: 'This page stopped working',
    text: 'Holdfast hit an internal error. Runs are not affected. Reload the page; if it happens again, report it with the details.',
    reload: 'Reload',
  },
  run: 'Test run',
  runState: 'the state of this run',
  undo: 'Undo',
  fileSaved: (fileName: string) => `Saved ${fileName}.`,
  dismiss: 'Dismiss',
  notices: 'Notices',
};
