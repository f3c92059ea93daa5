import { connect } from 'node:net';
import { NO_AGENT_THERE } from '#contract/agent/frames.ts';
import { removeDoor } from './door.ts';

/** Joins standard input and output with the agent behind a door. The exit code is {@link NO_AGENT_THERE} when there is none. */
export function relayTo(door: string): void {
  const socket = connect(door);
  let isThrough = false;
  socket.on('connect', () => {
    isThrough = true;
  });
  socket.on('error', () => {
    if (isThrough) process.exit(0);
    removeDoor(door);
    process.exit(NO_AGENT_THERE);
  });
  // What has come is still to be written: the process ends by itself when it is.
  socket.on('close', () => process.stdin.destroy());
  process.stdin.pipe(socket).pipe(process.stdout);
  process.stdout.on('error', () => process.exit(0));
}
