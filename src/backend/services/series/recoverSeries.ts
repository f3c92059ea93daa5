import { HoldfastError } from '#core/base/errors.ts';
import type { CellRun } from '#core/series/result.ts';
import { isGone, type ProcessIdentity } from '#engine/processIdentity.ts';
import type { Log } from '#backend/log.ts';
import type { ResultThread } from '#backend/results/resultThread.ts';
import type { Store } from '#backend/store/store.ts';
import type { RunService } from '../runs/runService.ts';

const OWNER_GONE = 'The Holdfast that ran it ended before the series did.';

interface RecoveryParts {
  readonly store: Store;
  readonly self: ProcessIdentity;
  readonly log: Log;
  readonly runs: Pick<RunService, 'recover'>;
  readonly results: Pick<ResultThread, 'read'>;
}

/**
 * Ends series whose owner is no longer there: finished cells stay, the one that was going keeps what its run has measured, and the
 * others say that they were not run.
 */
export async function recoverSeries({ store, self, log, runs, results }: RecoveryParts, nowMs = Date.now()): Promise<void> {
  for (const { key, head, owner, heartbeatMs } of store.series.going()) {
    if (!isGone(owner, nowMs - heartbeatMs, self)) continue;
    runs.recover();
    for (const run of store.series.runs(key)) {
      if (run.state === 'waiting' || run.state === 'running') store.series.saveRun(key, await recovered(run, results), nowMs);
    }
    store.series.end(key, { state: 'interrupted', endedAt: new Date(heartbeatMs).toISOString(), because: OWNER_GONE });
    log.info('series was interrupted', { series: head.id });
  }
}

async function recovered(run: CellRun, results: Pick<ResultThread, 'read'>): Promise<CellRun> {
  if (run.runId === null) return { ...run, state: 'notRun', phase: null, reason: run.reason ?? OWNER_GONE };
  try {
    return { ...run, ...(await results.read('own.cell', { runId: run.runId })), phase: null };
  } catch (thrown) {
    // Somebody has deleted the run meanwhile. Whatever else keeps its result from being read passes, and the series is recovered then.
    if (!(thrown instanceof HoldfastError && thrown.code === 'NO_SUCH_RUN')) throw thrown;
    return { ...run, state: 'aborted', phase: null, reason: OWNER_GONE };
  }
}
