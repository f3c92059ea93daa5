import { connect } from 'node:net';
import { NO_AGENT_THERE } from '#contract/agent/frames.ts';
import { removeDoor } from './door.ts';

/** What says that nobody is behind a door; all else says that we could not get to it, as when its agent is too busy to let us in. */
const NOBODY: ReadonlySet<unknown> = new Set(['ENOENT', 'ECONNREFUSED']);

/**
 * Joins standard input and output with the agent behind a door. The exit code is {@link NO_AGENT_THERE} when there is none, and the door is then
 * removed; 1 when that cannot be told.
 */
export function relayTo(door: string): void {
  const socket = connect(door);
  let isThrough = false;
  socket.on('connect', () => {
    isThrough = true;
  });
  socket.on('error', (error) => {
    if (isThrough) process.exit(0);
    if (!('code' in error && NOBODY.has(error.code))) {
      process.stderr.write(`${error.message}\n`);
      process.exit(1);
    }
    removeDoor(door);
    process.exit(NO_AGENT_THERE);
  });
  // What has come is still to be written: the process ends by itself when it is.
  socket.on('close', () => process.stdin.destroy());
  process.stdin.pipe(socket).pipe(process.stdout);
  process.stdout.on('error', () => process.exit(0));
}
