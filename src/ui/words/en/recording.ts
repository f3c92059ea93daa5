import type { RecordingState, SeenAction } from '#contract/replies.ts';

const KINDS: Readonly<Record<SeenAction['kind'], string>> = {
  open: 'Open',
  click: 'Click',
  submit: 'Submit',
  choose: 'Choose',
  mark: 'Mark',
  back: 'Go back',
  reload: 'Reload',
  tab: 'Open a tab',
  upload: 'Choose a file',
  download: 'Download',
};

const STATES: Readonly<Record<RecordingState['state'], string>> = {
  opening: 'The browser is starting …',
  recording: 'Recording. Walk through your site in the window that has opened.',
  paused: 'Paused. What you do now is not recorded.',
  ended: 'The recording has ended. Holdfast sends the journey again, to find values that change in each session …',
  failed: 'The browser could not be opened.',
};

/** Words of a recording: a walk in a browser that becomes a plan. */
export const recording = {
  title: 'Walk through it in a browser',
  story: 'A browser window opens. Holdfast records what you do in it and makes a plan of it.',
  address: 'Where it begins',
  addressHelp: 'Use a test account: its password is kept in memory only, until Holdfast closes.',
  insecure: 'Accept certificates that cannot be verified',
  accounts: 'File of accounts',
  accountsHelp:
    'Full path of a CSV file on the computer of Holdfast, with the columns username and password: one row a user. Empty: all users share the account you log in with.',
  unique: 'Texts that differ in each journey',
  uniqueHelp: 'One on each line, such as the title of a page that you will create. Each user enters another one.',
  uniqueWrong: (shortest: number, most: number) => `Enter at most ${most} texts of at least ${shortest} characters.`,
  where: (computer: string) => `The window opens on ${computer}, where Holdfast runs.`,
  here: 'the computer',
  start: 'Open the browser',
  states: STATES,
  kinds: KINDS,
  named: (kind: string, text: string) => (text === '' ? kind : `${kind} “${text}”`),
  requests: (count: number, shown: string) => (count === 1 ? '1 request' : `${shown} requests`),
  more: (count: string) => `and ${count} more`,
  actions: 'Recorded actions, the newest first',
  nothing: 'Nothing recorded. Open a page in the browser window.',
  dropped: (requests: string, bodies: string) =>
    `The recording is full. ${requests} requests and ${bodies} response bodies were not kept. Finish it, or record again in parts.`,
  pause: 'Pause',
  resume: 'Continue recording',
  undo: 'Undo the last action',
  undoStory: 'Undo removes an action from the recording. The browser window and your server stay as they are.',
  markLabel: 'Mark',
  markHelp: 'What begins here, such as “hand in a solution”.',
  mark: 'Add a mark',
  finish: 'Finish',
  finishStory: 'When you finish, Holdfast sends the journey two to eight times by itself, to find values that change in each session.',
  cancel: 'Cancel the recording',
  made: 'your recording',
  captured: (count: string, isOne: boolean) => `${isOne ? 'One value changes' : `${count} values change`} in each session`,
  walk: 'Check of the journey',
  allSame: (steps: string, isOne: boolean) => `${isOne ? 'The step does' : `All ${steps} steps do`} what was recorded.`,
  someOther: (other: string, steps: string) =>
    `${other} of ${steps} steps did not do what was recorded. Correct them before you start a load.`,
  columns: { step: 'Step', recorded: 'Recorded', tried: 'Walked again', same: 'Result' },
  same: 'as recorded',
  outcome: (status: string, title: string, size: string) => [status, title, size].filter((part) => part !== '').join(' · '),
  noResponse: 'no response',
  think: 'Think time between steps',
  thinks: { recorded: 'As recorded', none: 'None' },
  watch: 'Watch this journey as a visitor too',
  use: 'Use it',
  again: 'Record again',
};
