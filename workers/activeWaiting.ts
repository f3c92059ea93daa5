/** Of this thread: each has modules of its own. */
let waitedUs = 0;

/** Time was spent on turns of the event loop that only waited for an instant. */
export function countActiveWaiting(us: number): void {
  waitedUs += us;
}

/** Time that this thread has spent so, in microseconds: it keeps the processor busy, and nothing has to wait for it. */
export function activeWaitingUs(): number {
  return waitedUs;
}
