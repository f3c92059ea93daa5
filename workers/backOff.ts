import type { FailedOutcome } from './errorClass.ts';

const FIRST_DELAY_MS = 100;
const MAX_DELAY_MS = 1_000;

/**
 * Milliseconds that a connection waits before it tries again after `failures` failures in a row (1 or more). It delays this
 * connection only. A connection that the server closed under a request may reconnect at once the first time: servers do
 * close idle or well-used connections. After a timeout enough time has passed already.
 */
export function backOffMs(outcome: FailedOutcome, failures: number): number {
  if (outcome === 'timeout') return 0;
  const doublings = outcome === 'reset' ? failures - 2 : failures - 1;
  return doublings < 0 ? 0 : Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(doublings, 10));
}
