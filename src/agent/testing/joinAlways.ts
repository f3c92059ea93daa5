import { joinInvitation } from '../join/joinInvitation.ts';
import { agentProgram } from '#tools/testing/threads.ts';

/** Joins the invitation in its argument as a user who always agrees, and prints the number of sent requests at the end. */
let sent = 0;
await joinInvitation(process.argv[2] ?? '', {
  agentFile: agentProgram,
  agree: async () => true,
  onWaiting: () => {},
  onSent: (requests) => (sent = requests),
  signal: new AbortController().signal,
});
process.stdout.write(`${sent}\n`);
