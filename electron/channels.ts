/** The IPC channels between page and shell: frames in both directions, the verbs, and the notice that a file is waiting. */
export const channels = {
  toBackend: 'holdfast:to-backend',
  toPage: 'holdfast:to-page',
  verb: 'holdfast:verb',
  file: 'holdfast:file',
} as const;
