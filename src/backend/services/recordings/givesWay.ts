/** Short enough that neither a load in this process nor its live view nor other calls notice the wait. */
const TURN_MS = 10;

/**
 * Divides seconds of work on the event loop into turns of `TURN_MS`. The work calls the returned function every few milliseconds, which
 * lets other tasks run after each turn. Rejects with the signal's reason once it aborts.
 */
export function givesWay(signal: AbortSignal): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < TURN_MS) return;
    await new Promise((resolve) => setImmediate(resolve));
    signal.throwIfAborted();
    since = performance.now();
  };
}
