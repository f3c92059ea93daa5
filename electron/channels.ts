/**
 * The IPC channels between the page and the shell: for frames in both directions, for the verbs, and for the notice that a file is waiting.
 */
export const channels = {
  toBackend: 'holdfast:to-backend',
  toPage: 'holdfast:to-page',
  verb: 'holdfast:verb',
  file: 'holdfast:file',
} as const;
