/** A load of this process, its live view and other calls do not notice a wait of this length. */
const TURN_MS = 10;

/**
 * For work of seconds on the event loop: what it returns, asked every few milliseconds, waits for everybody else once a turn is over. It rejects when the work is to end.
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
