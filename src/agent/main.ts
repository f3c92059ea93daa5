import { connect } from 'node:net';
import { NO_AGENT_EXIT_CODE } from '#contract/agent/frames.ts';
import { serve, removeDoor } from './serve.ts';

/** Error codes that prove that no agent listens. Any other error, such as that of a busy agent, leaves it unknown. */
const NO_AGENT_ERROR_CODES: ReadonlySet<unknown> = new Set(['ENOENT', 'ECONNREFUSED']);

/**
 * Connects standard input and output with the agent behind a socket. If no agent listens, removes the socket and exits with {@link NO_AGENT_EXIT_CODE}. Exits with
 * 1 if that cannot be determined.
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
  // Received data must still be written; the process ends by itself afterwards.
  socket.on('close', () => process.stdin.destroy());
  process.stdin.pipe(socket).pipe(process.stdout);
  process.stdout.on('error', () => process.exit(0));
}

/**
 * Entry of the agent: serves the engine on standard input and output. Started with `resume PATH`, it only relays to a running agent. Bundled to one file, it
 * is the entry of its worker threads, too.
 */
const [what, path] = process.argv.slice(2);
const isBundled = !import.meta.url.endsWith('.ts');
if (what === 'resume' && path !== undefined) relayStdio(path);
else serve(new URL(isBundled ? import.meta.url : import.meta.resolve('#workers/loadWorker.ts')));
