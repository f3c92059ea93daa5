import { LIMIT_NAMES } from '#core/measurement/selfTest/report.ts';
import { CHANGING } from './check.ts';

export const settings = {
  title: 'Settings',
  story: 'There is little to set: most things have one good answer.',
  theme: 'Appearance',
  themes: { system: 'As the system', light: 'Light', dark: 'Dark' },
  storage: 'Where things are',
  dataDirectory: 'Data',
  dataHelp: 'All runs and plans, in one database. Set HOLDFAST_HOME to use another folder.',
  logFile: 'Log',
  logHelp: 'Send it with a report of a fault. It holds no secrets.',
  versions: 'Versions',
  holdfast: 'Holdfast',
  node: 'Node.js',
  platform: 'System',
  host: 'Computer',
  cores: (count: string) => `${count} cores`,
  loading: 'the backend',
};

/** Words about machines that several screens share. */
export const machines = {
  here: 'This computer',
  roles: { generator: 'Sends the load', target: 'Answers the load', hop: 'Stands in between (proxy, database)' },
  changes: {
    title: 'Changed by Holdfast',
    changed: (setting: string, from: string, to: string) => `Holdfast has changed ${setting} from ${from} to ${to}.`,
    takenBack: 'taken back since',
  },
  revert: {
    open: 'Take it back …',
    openNamed: (setting: string) => `Take it back …: ${setting}`,
    title: (host: string | null) => `Take back a change on ${host ?? 'this computer'}?`,
    story: (setting: string, from: string, to: string) =>
      `${setting} is ${from} now and becomes ${to} again, as it was before Holdfast changed it. It is read again afterwards.`,
    go: 'Take it back',
    waiting: CHANGING,
    done: (setting: string, to: string) => `${setting} is ${to} again.`,
  },
};

/** Words about what a plan asks for. */
export const agreement = {
  title: 'What this plan asks for',
  story:
    'Agree only to what you know. Load on a server can disturb the people who use it, and without permission it is an attack. Nothing is sent or opened before you agree.',
  known: 'Nobody needs to agree to it: it was agreed to before, or you entered it yourself.',
  public: '(public)',
  agree: 'I have read this, and agree to it.',
  host: (host: string) => `I run ${host} or have permission to test it with this load.`,
  hostRead: (host: string) => `I run ${host} or have permission to read its figures while the test goes. It gets no load.`,
  go: 'Agree and go on',
  missing: 'Agree to what the plan asks for.',
  missingHosts: (hosts: string) => `Confirm that you may test ${hosts}.`,
  imported: 'It asks for this; you agree to it, or not, before anything is sent',
};

const timesOff = (failed: string, checks: string): string => `Every count is right, but times were off in ${failed} of ${checks} checks`;

export const selfTest = {
  title: 'Can this computer’s figures be believed?',
  story:
    'The self-test starts a server of its own on this computer that knows everything that happens to it, and compares what Holdfast measures with what that server knows. It also finds how much load this computer can make. Its result is stored with every run.',
  run: 'Run the self-test',
  runQuick: 'Run the short one',
  stop: 'Stop',
  durations:
    'It takes about two minutes, the short one half a minute. Close other programs first: what they take of the processor shows in the times.',
  leaving: 'It stops when you leave this page.',
  never: 'This computer was never tested with this version of Holdfast.',
  loading: 'the last self-test',
  /** Goes on “Waiting for …”. */
  starting: 'the server of the self-test',
  progress: 'How far the self-test is',
  doing: (done: string, total: string, current: string) => `${done} of ${total} done. Now: ${current}`,
  lost: 'The connection to the backend was lost, and the self-test stopped with it. Nothing of it was kept.',
  outcomes: {
    passed: (_failed: string, checks: string) => `Passed ${checks} of ${checks} checks`,
    wrong: (failed: string, checks: string) => `${failed} of ${checks} checks failed`,
    busy: timesOff,
    stolen: timesOff,
  },
  hints: {
    wrong: 'A count is wrong, or a check could not be made: a fault of Holdfast. Please report it with the figures below.',
    busy: 'This computer was too busy to measure times well, or its clocks cannot be trusted. Close other programs and run it again; as long as times are off, believe the counts of a run more than its times.',
    stolen:
      'The host of this virtual machine took its processor away, for other machines on it: nothing that you close here would help. Run it again at a quieter hour, or on a machine that shares its processor with no other; as long as times are off, believe the counts of a run more than its times.',
  },
  when: (when: string, version: string, seconds: string) => `${when}, with version ${version}, in ${seconds}`,
  quick: 'the short variant',
  checks: 'What was compared',
  outcome: 'Outcome',
  behaviour: 'What the server did',
  measured: 'Measured',
  known: 'The server knows',
  figure: 'Figure',
  engine: 'Sent by',
  passed: 'Passed',
  failed: 'Failed',
  wrong: 'Wrong',
  equal: 'Equal',
  within: 'Within',
  everyFigure: 'Every figure',
  everyFigureSummary: (count: string) => `${count} figures`,
  nothing: 'nothing',
  tolerance: (value: string, tolerance: string) => `${value} ± ${tolerance}`,
  repeated: (times: number, steal: string) =>
    `Times measured ${times} times: the hypervisor took ${steal} of the processor away meanwhile.`,
  doubted: (causes: string) => `Holdfast itself doubted these times: ${causes}.`,
  busy: (share: string) => `The processor was in use to ${share} meanwhile.`,
  limits: 'Limits of this computer',
  limitsStory: 'Reached against a server on this computer, which shares its processor: towards another machine they can only be higher.',
  requestsPerSecond: LIMIT_NAMES.requestsPerSecond,
  arrivalsPerSecond: (lag: string) => `${LIMIT_NAMES.arrivalsPerSecond}, 99 of 100 at most ${lag} late`,
  connectionsPerSecond: LIMIT_NAMES.connectionsPerSecond,
  notMeasured: 'not measured',
};
