/** The names under which page and shell talk: frames each way, and the verbs. */
export const channels = { toBackend: 'holdfast:to-backend', toPage: 'holdfast:to-page', verb: 'holdfast:verb' } as const;
