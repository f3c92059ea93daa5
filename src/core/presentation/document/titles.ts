/** Titles of sections and tables, on all screens and in all documents. */
export const TITLES = {
  lookAt: 'Points to check',
  leavesBehind: 'Left on the server',
  next: 'Next steps',
  criteria: 'Pass criteria',
  eachLimit: 'Pass criteria and measured values',
  findings: 'Findings',
  visits: 'What visitors see',
  capacity: 'Capacity',
  scaling: 'Scaling',
  behaviour: 'Behavior',
  spread: 'Latency distribution',
  timesByShare: 'Latency by percentile',
  timesOverRun: 'Latency heatmap',
  times: 'Latency percentiles',
  failuresAsTimeouts: 'Failures counted as timeouts',
  outcome: 'Request outcomes',
  commands: 'Commands run',
  effects: 'Effect of each factor',
  smallest: 'Smallest machine that passes',
  fits: 'Latency by factor',
  order: 'Order of the runs',
  method: 'Method',
  doesNotSay: 'Not covered',
  runAgain: 'Run it again',
  doAgain: 'Repeat it',
} as const;

/** Texts in place of missing figures. */
export const NONE = {
  findings: 'No findings.',
  times: 'No counted responses, so no times.',
  criteria: 'No pass criteria were set.',
} as const;

/** Explanations of figures. */
export const EXPLAINED = {
  inFlight: 'Requests that were sent and have no complete response.',
  scheduleLag: 'How much later than planned requests were sent, because the load generator was busy.',
} as const;

export const NOT_OVER = 'not finished';
export const SECRETS_IN_NO_REPORT = 'No report contains secrets: “secret” in the plan only names the source of a value.';

/** Shown while measurements are loading. */
export const READING_WHAT_WAS_MEASURED = 'Loading the measurements …';
export const SEEING_PAGES = 'seeing the watched pages without load';
export const WAITING_FOR_LAST_ANSWERS = 'waiting for outstanding responses';

/** Says that a run with this many watched pages is starting: each page is visited before the load. Empty without watched pages. */
export function openingPages(count: number): string {
  if (count === 0) return '';
  return `Opening ${count === 1 ? 'the page' : `${count} pages`} in a browser, to see ${count === 1 ? 'it' : 'them'} without load …`;
}
