import { figuresOf, outcomeOf } from '#core/series/figures.ts';
import type { CellRun } from '#core/series/result.ts';
import { isGone, type ProcessIdentity } from '#engine/processIdentity.ts';
import type { Log } from '#backend/log.ts';
import type { Store } from '#backend/store/store.ts';
import { recoverRuns } from '../runs/recovery.ts';
import type { RunService } from '../runs/runService.ts';

const OWNER_GONE = 'The Holdfast that ran it ended before the series did.';

/**
 * Ends series whose owner is no longer there: finished cells stay, the one that was going keeps what its run has measured, and the
 * others say that they were not run.
 */
export function recoverSeries(store: Store, self: ProcessIdentity, log: Log, runs: Pick<RunService, 'result'>, nowMs = Date.now()): void {
  for (const { key, head, owner, heartbeatMs } of store.series.going()) {
    if (!isGone(owner, nowMs - heartbeatMs, self)) continue;
    recoverRuns(store, self, log, nowMs);
    for (const run of store.series.runs(key)) {
      if (run.state === 'waiting' || run.state === 'running') store.series.saveRun(key, recovered(run, runs), nowMs);
    }
    store.series.end(key, { state: 'interrupted', endedAt: new Date(heartbeatMs).toISOString(), because: OWNER_GONE });
    log.info('series was interrupted', { series: head.id });
  }
}

function recovered(run: CellRun, runs: Pick<RunService, 'result'>): CellRun {
  if (run.runId === null) return { ...run, state: 'notRun', phase: null, reason: run.reason ?? OWNER_GONE };
  try {
    const result = runs.result(run.runId);
    return { ...run, ...outcomeOf(result), phase: null, figures: figuresOf(result) };
  } catch {
    // Somebody has deleted the run meanwhile.
    return { ...run, state: 'aborted', phase: null, reason: OWNER_GONE };
  }
}
