import { createInterface } from 'node:readline';
import { AgentSession } from './session.ts';

/** Runs the agent on standard input and output. It lives exactly as long as its standard input, so that no load goes on when the one who wanted it is gone. */
export function serve(workerEntry: URL): void {
  const session = new AgentSession({
    workerEntry,
    send: (frame) => void process.stdout.write(`${JSON.stringify(frame)}\n`),
    onSilence: () => process.exit(0),
  });
  // Whoever reads has gone: the end of standard input says so too.
  process.stdout.on('error', () => process.exit(0));

  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    if (line.trim() !== '') session.take(line);
  });
  lines.on('close', () => process.exit(0));
}
