import { connect } from 'node:net';
import { createInterface } from 'node:readline/promises';
import { fileURLToPath } from 'node:url';
import { toProblem } from '#core/base/errors.ts';
import { NO_AGENT_EXIT_CODE } from '#contract/agent/frames.ts';
import { joinAtTerminal } from './join/joinAtTerminal.ts';
import { serve, removeDoor } from './serve.ts';

/** Error codes that prove that no agent listens. After any other error, such as that of a busy agent, this remains unknown. */
const NO_AGENT_ERROR_CODES: ReadonlySet<unknown> = new Set(['ENOENT', 'ECONNREFUSED']);

/**
 * Connects standard input and output to the agent behind a socket. If no agent listens, removes the socket and exits with {@link
 * NO_AGENT_EXIT_CODE}. Exits with 1 if it cannot be determined whether an agent listens.
 */
function relayStdio(door: string): void {
  const socket = connect(door);
  let isConnected = false;
  socket.on('connect', () => {
    isConnected = true;
  });
  socket.on('error', (error) => {
    if (isConnected) process.exit(0);
    if (!('code' in error && NO_AGENT_ERROR_CODES.has(error.code))) {
      process.stderr.write(`${error.message}\n`);
      process.exit(1);
    }
    removeDoor(door);
    process.exit(NO_AGENT_EXIT_CODE);
  });
  // Data that was received must still be written. After that, the process ends by itself.
  socket.on('close', () => process.stdin.destroy());
  process.stdin.pipe(socket).pipe(process.stdout);
  process.stdout.on('error', () => process.exit(0));
}

/** Joins a run from this file alone, on a computer without the rest of Holdfast. Exits with 1 after an error. */
async function join(invitation: string): Promise<void> {
  const leave = new AbortController();
  const stop = (): void => leave.abort(new Error('You left the run.'));
  const ask = async (question: string, signal: AbortSignal): Promise<string | null> => {
    if (!process.stdin.isTTY) return null;
    const lines = createInterface({ input: process.stdin, output: process.stderr });
    lines.once('SIGINT', stop);
    return lines
      .question(question, { signal })
      .catch(() => null)
      .finally(() => lines.close());
  };
  process.on('SIGINT', stop);
  try {
    const write = (text: string): boolean => process.stderr.write(text);
    await joinAtTerminal(invitation, { agentFile: fileURLToPath(import.meta.url), write, ask, signal: leave.signal });
  } catch (thrown) {
    const { message, hint } = toProblem(thrown);
    process.stderr.write(`holdfast: ${message}\n${hint === '' ? '' : `  ${hint}\n`}`);
    process.exitCode = 1;
  }
}

/**
 * Entry of the agent: serves the engine on standard input and output. If started with `resume PATH`, it only relays to an agent that is
 * running; with `join INVITATION`, it joins the run of another computer. When bundled to one file, it is also the entry of the agent's
 * worker threads.
 */
const [what, path] = process.argv.slice(2);
const isBundled = !import.meta.url.endsWith('.ts');
if (what === 'resume' && path !== undefined) relayStdio(path);
else if (what === 'join' && path !== undefined) await join(path);
else serve(new URL(isBundled ? import.meta.url : import.meta.resolve('#workers/loadWorker.ts')));
