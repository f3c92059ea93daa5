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
  /** A button that opens what is done less often. */
  more: 'More',
  notKnown: 'not known',
  never: 'never',
  waitingFor: (what: string) => `Waiting for ${what} …`,
};

/** Marks of runs: outcome first, state where there is no outcome. */
export const marks = {
  holds: 'Holds',
  breaks: 'Breaks',
  inconclusive: 'Not known',
  measured: 'Measured',
  running: 'Running',
  stopped: 'Stopped',
  failed: 'Failed',
  interrupted: 'Interrupted',
};

export const levels = {
  ok: 'Fine',
  info: 'Good to know',
  warning: 'Warning',
  problem: 'Problem',
  unknown: 'Not known',
};

/** Words around every chart. Values in them arrive formatted. */
export const charts = {
  ...chartNames,
  logarithmic: 'Log scale',
  showTable: 'Show as table',
  showChart: 'Show as chart',
  more: (title: string) => `Copy or save “${title}”`,
  copyPng: 'Copy as picture',
  savePng: 'Save as PNG',
  saveSvg: 'Save as SVG',
  copyCsv: 'Copy as CSV',
  saveCsv: 'Save as CSV',
  saved: 'Saved',
  copied: 'Copied',
  notCopied: 'Could not copy: save it instead',
  notDrawn: 'The picture could not be made: save it as SVG or CSV instead',
  empty: 'Nothing was measured yet.',
  mostAnswers: chartNames.mostAnswers,
  at: (elapsed: string, clock: string) => (clock === '' ? `at ${elapsed}` : `at ${elapsed} · ${clock}`),
  spanOf: (elapsed: string, seconds: string) => `${elapsed}, ${seconds}`,
  walk: (title: string) => `${title}: walk through the time with the arrow keys`,
  table: {
    from: 'From',
    clock: 'Clock',
    length: 'Length',
    shortened: (shown: string, all: string) => `${shown} of ${all} points, chosen so that no peak is lost. The CSV holds all of them.`,
  },
  moreCharts: 'More charts',
  moreChartsSummary: 'waiting requests, data received',
  bytesSummary: 'data received',
};

export const app = {
  skipToContent: 'Skip to content',
  navigation: 'Main',
  newTest: 'New test',
  running: 'Running',
  history: 'History',
  hosts: 'Hosts',
  practice: 'Practice',
  calculate: 'Calculate',
  settings: 'Settings',
  lost: {
    title: 'The connection to Holdfast was lost.',
    text: 'What you see is the last state. Tests that were going may go on; nothing that was stored is lost. Reconnecting …',
    startedAgain: 'If Holdfast was started again, open the address it printed.',
    retry: 'Reconnect now',
  },
  refused: {
    title: 'Open the address that Holdfast printed',
    heading: 'This page came without the right token',
    text: 'Nobody gets in without it: no other user of this computer and no other page in your browser. It is the end of the address in the terminal where Holdfast was started:',
    address: (origin: string) => `${origin}/#token=…`,
    again: 'Open that address as a whole. Each start has a new token, so bookmarks and addresses of earlier starts do not work.',
    file: (port: string) =>
      `You cannot see the terminal any more? The address is also in the file web/${port}.url in the folder where Holdfast keeps its data.`,
  },
  connecting: 'the Holdfast backend',
  page: 'this page',
  notFound: {
    title: 'There is nothing here',
    text: 'The address does not belong to any page of Holdfast.',
    action: START_A_TEST,
  },
  nothingRunning: {
    title: 'Nothing is running',
    text: 'A test that is going shows up here, also one that was started from the command line.',
    action: START_A_TEST,
  },
  several: { title: 'Running now', story: 'Tests that are going on this computer.' },
  crashed: {
    title: 'This page stopped working',
    text: 'Something inside Holdfast failed. Runs are not affected. Load the page again; if it happens again, report it with the details.',
    reload: 'Load again',
  },
  columns: { name: 'Name', target: 'Target', state: 'State' },
  run: 'Test run',
  runState: 'the state of this run',
  undo: 'Undo',
  fileSaved: (fileName: string) => `${fileName} was saved.`,
  dismiss: 'Dismiss',
  notices: 'Notices',
};
