/** Time of this thread only: each thread loads its own copy of this module. */
let waitedUs = 0;

/** Adds time that the event loop spent only on waiting for a due time. */
export function countActiveWaiting(us: number): void {
  waitedUs += us;
}

/** Time that this thread has spent on active waiting, in microseconds. It keeps the processor busy, but delays no work. */
export function activeWaitingUs(): number {
  return waitedUs;
}
