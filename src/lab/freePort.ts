import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ports that a system gives to whoever asks for any, and to the connections that it opens: nobody takes one of these by chance. */
const FIRST = 20_000;
const LAST = 32_767;
const ATTEMPTS = 100;

/** A free port of 127.0.0.1, for a program that takes no 0; or the first of so many in a row. It stays free unless somebody wants just that one. */
export async function freePort(inARow = 1): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const first = randomInt(FIRST, LAST - inARow + 2);
    const areFree = await Promise.all(Array.from({ length: inARow }, (_, index) => isFree(first + index)));
    if (areFree.every(Boolean)) return first;
  }
  throw new Error(`No ${inARow} free ports in a row were found from ${FIRST} to ${LAST}.`);
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
