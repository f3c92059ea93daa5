/** What sections and tables of a result are called, on every screen and in every document. */
export const TITLES = {
  lookAt: 'What to look at',
  leavesBehind: 'What stays on the server',
  next: 'What to do next',
  limits: 'What counts as good enough',
  eachLimit: 'Each limit with what was measured',
  findings: 'What stands out',
  capacity: 'How much it can do',
  spread: 'How times are spread',
  timesByShare: 'Times by share of the answers',
  timesOverRun: 'Times over the run',
  times: 'How long it took',
  outcome: 'What became of it',
  commands: 'Commands that were run',
  effects: 'What each factor changes',
  smallest: 'The smallest machine that keeps every limit',
  fits: 'Time over what was varied',
  order: 'How the runs followed each other',
  method: 'How it was measured',
  doesNotSay: 'What this does not say',
  runAgain: 'To run it again',
  doAgain: 'To do it again',
} as const;

/** What stands where there would be figures. */
export const NONE = {
  findings: 'Nothing out of the ordinary was noticed.',
  times: 'Nothing was answered, so no time is known.',
} as const;

/** Figures that want a sentence. */
export const EXPLAINED = {
  inFlight: 'Requests that were sent and have no complete answer yet (in flight).',
  scheduleLag: 'How much later than planned a request was really sent, because the computer that makes the load was busy (schedule lag).',
} as const;

export const NOT_OVER = 'it was not over';
export const SECRETS_IN_NO_REPORT = 'Secrets are in no report: where the plan says “secret”, it names where the value is taken from.';

/** What is done now, where it takes a while. */
export const READING_WHAT_WAS_MEASURED = 'Reading what was measured …';
export const WAITING_FOR_LAST_ANSWERS = 'waiting for the last answers';
