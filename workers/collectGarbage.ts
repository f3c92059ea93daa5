import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Frees what this thread has left behind, at once and as a whole. Of what loading modules and warming up leave V8 would free itself a second or two later, for 10 to 50 ms on a
 * busy core, in which no answer is noticed. Does nothing where V8 does not let itself be told.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('globalThis.gc');
  if (typeof collect === 'function') collect();
}
