import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Runs a complete garbage collection of this thread. Otherwise V8 would collect the garbage of loaded modules one or two seconds into the load, and no
 * response would be read for 10 to 50 ms. Node and Electron's utility processes allow V8 flags to be set at any time.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('globalThis.gc');
  if (typeof collect === 'function') collect();
}
