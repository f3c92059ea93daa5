/** Words about what a plan asks for. */
export const agreement = {
  title: 'What this plan asks for',
  story:
    'Agree only to what you know. Load on a server can disturb the people who use it, and without permission it is an attack. Nothing is sent or opened before you agree.',
  known: 'Nobody needs to agree to it: it was agreed to before, or you entered it yourself.',
  public: '(public)',
  agree: 'I have read this, and agree to it.',
  host: (host: string) => `I run ${host} or have permission to test it with this load.`,
  go: 'Agree and go on',
  missing: 'Agree to what the plan asks for.',
  missingHosts: (hosts: string) => `Confirm that you may test ${hosts}.`,
  imported: 'It asks for this; you agree to it, or not, before anything is sent',
};
