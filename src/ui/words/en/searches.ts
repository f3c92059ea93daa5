import { common } from './common.ts';
import { enterWholeNumberUpTo } from '#core/base/units.ts';
import { VISITING_PAGES } from '#core/presentation/document/words.ts';
import { WAITING_FOR_CONNECTIONS, WAITING_FOR_SERVER } from './series.ts';

const FIND_BREAKING_POINT = 'Find the breaking point';

/** Texts about searches, both for a breaking point and for the profile of a server. Counts and measurements are passed in formatted. */
export const searches = {
  page: 'Searches',
  notThere: 'Search not found',
  title: 'Searches',
  story: 'Each search makes a few runs, chooses each by the results so far, and gives reasons for its result.',
  loading: 'the search',
  inHistory: (name: string) => `Search “${name}”`,
  partOf: (name: string, run: string) => `Part of the search “${name}”: ${run}`,
  kinds: { breakingPoint: 'Breaking point', characterize: 'Server profile' },
  states: { running: 'Running', finished: 'Finished', stopped: 'Stopped', failed: 'Error', interrupted: 'Interrupted' },
  ended: {
    running: '',
    finished: '',
    stopped: 'The search was stopped. Results until then are below.',
    failed: 'The search ended with an error. Results until then are below.',
    interrupted: 'The search was interrupted. Results until then are below.',
  },
  endedEarly: 'The search ended early.',
  facts: (parts: readonly string[]) => parts.join(' · '),
  from: (places: string) => `from ${places}`,
  conclusion: 'Result',
  resultSoFar: 'Result so far',
  why: 'Why',
  moreReasons: (count: string) => (count === '1' ? '1 more reason' : `${count} more reasons`),
  runs: (count: string) => (count === '1' ? '1 run' : `${count} runs`),
  stop: 'Stop the search',
  stopping: 'Stopping …',
  again: 'Search again',
  save: 'Save everything (JSON)',
  remove: {
    button: 'Delete the search',
    title: 'Delete this search?',
    story: 'Its result is deleted. Its runs stay in the history with their results.',
    confirm: 'Delete the search',
  },
  reset: {
    title: (level: string) => `Reset the server, then continue with ${level}.`,
    story: 'Delete what the last level stored, such as attempts and registrations. All rows of single-use lists are then used again.',
    done: 'Reset done, continue',
  },
  character: { trap: 'Common mistake' },
  table: {
    title: { breakingPoint: 'Levels', characterize: 'Runs' },
    phases: {
      before: 'the server is reset',
      reset: 'waits for the reset',
      ready: WAITING_FOR_SERVER,
      visits: VISITING_PAGES,
      load: 'under load',
      rest: WAITING_FOR_CONNECTIONS,
    },
    now: (rate: string, sent: string) => `now ${rate}, ${sent} requests`,
  },
  charts: { title: 'By level' },
  picture: {
    title: 'Queue',
    story: (requests: string, workers: string, service: string) =>
      `${requests} requests at once, ${workers} workers, ${service} each: requests without a worker wait for the next round.`,
    requests: 'Requests at once',
    wrongNumber: enterWholeNumberUpTo,
    play: 'Play the animation',
    worker: (number: string) => `worker ${number}`,
    firstRows: (shownText: string, all: string) => `Shows the first ${shownText} of ${all} workers.`,
    at: (time: string) => `after ${time}`,
    waiting: (count: string) => `${count} queued`,
    done: (count: string) => `${count} completed`,
    rounds: (count: string, time: string) =>
      count === '1' ? `One round: all complete after ${time}.` : `${count} rounds: the last completes after ${time}.`,
  },
  server: {
    title: 'Analyze a server',
    story:
      'Holdfast sends requests as one, two, four … users. Times and rates show how many requests the server works on at once, how long each takes, how many may queue, and when it times out.',
    address: 'Page address',
    addressHelp: 'A page that takes the server a moment. Below 5 ms, the figures show the network and the processor.',
    maxUsers: 'Most users',
    idleSeconds: 'Idle time of connections',
    idleHelp: 'Tests after how long the server closes idle connections. 0: not tested.',
    seconds: 's',
    placeHelp: 'Idle connections are tested from this computer only.',
    start: 'Analyze the server',
  },
  breakingPoint: {
    title: FIND_BREAKING_POINT,
    story:
      'The load doubles until a level fails; then levels between are tried. The result is the highest load that the server sustains, and why the next one fails.',
    address: 'Page address',
    limit: 'Longest response time',
    limitHelp: 'A level fails when more than 5 % of responses take longer, when more than 1 % fail, or when its queue grows without end.',
    milliseconds: 'ms',
    model: 'Load',
    modelHelp: 'Requests at a rate arrive whatever the server does, as people do.',
    models: { arrivals: 'requests at a rate', connections: 'connections that wait for responses' },
    wrongNumber: common.wrongNumber,
    ofTest: 'For several steps or other pass criteria, choose a test and find its breaking point on the page Check.',
    choose: 'Choose a test',
  },
  wizard: {
    title: 'Find the breaking point instead',
    story:
      'Levels double until one fails, then levels between are tried, with a pause after each. A level fails by the pass criteria of the test, or when its queue grows without end.',
    from: 'First level',
    fromHelp: 'Each level is twice the one before until one fails.',
    to: 'Highest level',
    toHelp: 'Empty: until the breaking point.',
    repeats: 'Runs per level',
    repeatsHelp: 'The majority decides.',
    units: { arrivals: '/s', users: 'users', connections: 'connections', people: 'people' },
    bell: {
      title: 'Find out how many the server sustains at the bell',
      story:
        'Levels are numbers of people. They double until one fails, then levels between are tried. Each level takes as long as the whole test.',
      needsReset: 'Wait for me to reset the server between levels',
      needsResetHelp:
        'Needed where each person has one attempt or one place. Before each level but the first, the search waits until you press a button.',
    },
    start: FIND_BREAKING_POINT,
    firstOnly: (variant: string) => `Only the first of the compared servers is searched: ${variant}.`,
    openConsent: 'Confirm above that you may test this host.',
    wrongNumber: 'Enter a number above 0, or leave it empty.',
  },
  list: {
    title: 'Results',
    caption: 'Searches, newest first',
    name: 'Test',
    kind: 'Kind',
    when: 'When',
    conclusion: 'Result',
    loading: 'the searches',
    empty: { title: 'No searches', text: 'Start one above. Its result appears here.' },
  },
};
