/** The names under which page and shell talk: frames each way, the verbs, and that a file waits to be taken by one. */
export const channels = {
  toBackend: 'holdfast:to-backend',
  toPage: 'holdfast:to-page',
  verb: 'holdfast:verb',
  file: 'holdfast:file',
} as const;
