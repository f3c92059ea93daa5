import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Frees what this thread has left behind, at once and as a whole. What loading modules and their first use leave V8 would free itself a second or two into the load, for 10 to 50 ms on a
 * busy core, in which no answer is noticed. Node and the utility processes of Electron let flags of V8 be set at any time.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('globalThis.gc');
  if (typeof collect === 'function') collect();
}
