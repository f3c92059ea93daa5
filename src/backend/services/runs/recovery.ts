import { isGone, type ProcessIdentity } from '#engine/processIdentity.ts';
import type { Log } from '#backend/log.ts';
import { ownerOf } from '#backend/store/owner.ts';
import type { Store } from '#backend/store/store.ts';
import { storeResult } from './resultOf.ts';

const OWNER_GONE = {
  code: 'ownerGone',
  text: 'The Holdfast that ran it ended before the run did. Everything up to its last seconds is kept.',
} as const;

/**
 * Marks going runs whose owner is no longer there as interrupted, and computes their results from what is stored. Of several
 * processes that find the same run, one does it. Returns the ids of the runs that this one ended.
 */
export function recoverRuns(store: Store, self: ProcessIdentity, log: Log, nowMs = Date.now()): string[] {
  const recovered: string[] = [];
  for (const record of store.going()) {
    if (!isGone(ownerOf(record), nowMs - record.heartbeat_ms, self)) continue;
    const endedAt = new Date(record.heartbeat_ms).toISOString();
    if (!store.end(record.key, { state: 'interrupted', endedAt, because: OWNER_GONE }, null)) continue;
    recovered.push(record.id);
    completeResult(store, record.id, log);
  }
  if (recovered.length > 0) log.info('runs were interrupted', { runs: recovered });
  return recovered;
}

/** Computes the results of runs whose owner was killed after it had ended them, and before their result was stored. */
export function completeResults(store: Store, log: Log): void {
  for (const { id } of store.withoutResult()) completeResult(store, id, log);
}

function completeResult(store: Store, id: string, log: Log): void {
  try {
    storeResult(store, store.find(id));
  } catch (thrown) {
    log.failure('the result of an interrupted run could not be computed', thrown);
  }
}
