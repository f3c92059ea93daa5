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
  ended: 'The recording has ended. Its plan is being made …',
  failed: 'The browser could not be opened.',
};

/** Words of a recording: a walk in a browser that becomes a plan. */
export const recording = {
  title: 'Walk through it in a browser',
  story: 'A browser window opens. Holdfast records what you do in it and makes a plan of it.',
  address: 'Where it begins',
  addressHelp: 'Use a test account: its password is kept in memory only, until Holdfast closes.',
  insecure: 'Accept certificates that cannot be verified',
  where: (computer: string) => `The window opens on ${computer}, where Holdfast runs.`,
  here: 'the computer',
  start: 'Open the browser',
  states: STATES,
  kinds: KINDS,
  named: (kind: string, text: string) => (text === '' ? kind : `${kind} “${text}”`),
  requests: (count: number, shown: string) => (count === 1 ? '1 request' : `${shown} requests`),
  more: (count: string) => `and ${count} more`,
  noResponse: 'no response',
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
  cancel: 'Cancel the recording',
  made: 'your recording',
  think: 'Think time between steps',
  thinks: { recorded: 'As recorded', none: 'None' },
  use: 'Use it',
  again: 'Record again',
};
