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
  remove: 'Remove',
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
