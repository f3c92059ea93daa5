import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** First port of a range below the ephemeral ports, so that the system assigns none of them to other sockets. */
const FIRST_PORT = 20_000;
const LAST_PORT = 32_767;
const ATTEMPTS = 100;

/**
 * Returns a free port of 127.0.0.1, for a program that does not accept port 0, or the first of several consecutive free ports. Another
 * program may still take the port.
 */
export async function freePort(consecutiveFailures = 1): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const first = randomInt(FIRST_PORT, LAST_PORT - consecutiveFailures + 2);
    const areFree = await Promise.all(Array.from({ length: consecutiveFailures }, (_, index) => isFree(first + index)));
    if (areFree.every(Boolean)) return first;
  }
  throw new Error(`No ${consecutiveFailures} free ports in a row were found from ${FIRST_PORT} to ${LAST_PORT}.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch {
    return false;
  }
  await once(server.close(), 'close');
  return true;
}
