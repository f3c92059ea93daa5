import { LIMIT_NAMES } from '#core/measurement/selfTest/report.ts';
import { CHANGING } from './check.ts';

export const settings = {
  title: 'Settings',
  story: 'Appearance, data location and versions.',
  theme: 'Appearance',
  themes: { system: 'Like the system', light: 'Light', dark: 'Dark' },
  storage: 'Storage',
  dataDirectory: 'Data',
  dataHelp: 'One database with all runs and plans. Set HOLDFAST_HOME to use another folder.',
  logFile: 'Log',
  logHelp: 'Attach it to bug reports. It contains no secrets.',
  versions: 'Versions',
  holdfast: 'Holdfast',
  node: 'Node.js',
  platform: 'System',
  host: 'Computer',
  cores: (count: string) => `${count} cores`,
  loading: 'the backend',
};

/** Texts about machines that several screens have in common. */
export const machines = {
  here: 'This computer',
  roles: { generator: 'Load generator', target: 'Server under test', hop: 'Proxy or database' },
  changes: {
    title: 'Changed by Holdfast',
    changed: (setting: string, from: string, to: string) => `Holdfast has changed ${setting} from ${from} to ${to}.`,
    takenBack: 'reverted',
  },
  revert: {
    open: 'Revert …',
    openNamed: (setting: string) => `Revert …: ${setting}`,
    title: (host: string | null) => `Revert a change on ${host ?? 'this computer'}?`,
    story: (setting: string, from: string, to: string) =>
      `${setting} is ${from}. It becomes ${to} again, as before the change by Holdfast, and is read again afterwards.`,
    go: 'Revert',
    waiting: CHANGING,
    done: (setting: string, to: string) => `${setting} is ${to} again.`,
  },
};

/** Texts about the permissions of a plan. */
export const agreement = {
  title: 'Permissions',
  story:
    'Agree only to what you know. Load can disturb the users of a server, and without permission it is an attack. Nothing is sent or opened before you agree.',
  known: 'Already agreed to, or entered by you.',
  public: '(public)',
  agree: 'I have read this and agree to it.',
  host: (host: string) => `I run ${host} or have permission to test it with this load.`,
  hostRead: (host: string) => `I run ${host} or have permission to read its figures during the test. It gets no load.`,
  go: 'Agree and continue',
  missing: 'Agree to the permissions of the plan.',
  missingHosts: (hosts: string) => `Confirm that you may test ${hosts}.`,
  imported: 'Asks for your agreement before anything is sent',
};

const timesWrongText = (failed: string, checks: string): string => `All counts correct, but times off in ${failed} of ${checks} checks`;

export const selfTest = {
  title: 'Self-test',
  story:
    'The self-test compares the measurements of Holdfast with what its own server recorded, and finds the highest load of this computer. Its result is stored with every run.',
  run: 'Run the self-test',
  runQuick: 'Run the short self-test',
  stop: 'Stop',
  durations: 'It takes about two minutes, the short one half a minute. Close other programs first: they distort the times.',
  leaving: 'It stops when you leave this page.',
  never: 'This computer has not been tested with this version of Holdfast.',
  loading: 'the last self-test',
  /** Text that follows “Waiting for …”. */
  starting: 'the server of the self-test',
  progress: 'Progress of the self-test',
  doing: (done: string, total: string, current: string) => `${done} of ${total} done. Now: ${current}`,
  lost: 'The connection to the backend was lost, which stopped the self-test. Nothing was kept.',
  outcomes: {
    passed: (_failed: string, checks: string) => `Passed ${checks} of ${checks} checks`,
    wrong: (failed: string, checks: string) => `${failed} of ${checks} checks failed`,
    busy: timesWrongText,
    stolen: timesWrongText,
  },
  hints: {
    wrong: 'A count is wrong, or a check could not run. This is a fault of Holdfast. Report it with the figures below.',
    busy: 'This computer was too busy to measure times well, or its clocks are unreliable. Close other programs and run it again. Until then, trust counts more than times.',
    stolen:
      'The host of this virtual machine gave its processor to others. Run it again at a quieter time, or on a dedicated machine. Until then, trust counts more than times.',
  },
  when: (when: string, version: string, seconds: string) => `${when}, with version ${version}, in ${seconds}`,
  quick: 'short self-test',
  checks: 'Checks',
  outcome: 'Outcome',
  behaviour: 'Server behavior',
  measured: 'Measured',
  known: 'Recorded by the server',
  figure: 'Figure',
  engine: 'Engine',
  passed: 'Passed',
  failed: 'Failed',
  wrong: 'Wrong',
  equal: 'Equal',
  within: 'Within',
  everyFigure: 'All figures',
  everyFigureSummary: (count: string) => `${count} figures`,
  nothing: 'none',
  tolerance: (value: string, tolerance: string) => `${value} ± ${tolerance}`,
  repeated: (times: number, steal: string) => `Times measured ${times} times: the hypervisor took ${steal} of the processor.`,
  doubted: (causes: string) => `Holdfast flagged these times itself: ${causes}.`,
  busy: (share: string) => `Processor use during the check: ${share}.`,
  limits: 'Limits of this computer',
  limitsStory: 'Measured against a server that shares the processor of this computer. Limits are higher for a server elsewhere.',
  requestsPerSecond: LIMIT_NAMES.requestsPerSecond,
  arrivalsPerSecond: (lag: string) => `${LIMIT_NAMES.arrivalsPerSecond}, 99 % at most ${lag} late`,
  connectionsPerSecond: LIMIT_NAMES.connectionsPerSecond,
  notMeasured: 'not measured',
};
