import { randomBytes } from 'node:crypto';
import { isGone, type ProcessIdentity } from '#engine/processIdentity.ts';
import type { Log } from '#backend/log.ts';
import { ownerOf } from '#backend/store/rows.ts';
import type { Store } from '#backend/store/store.ts';

const OWNER_GONE = {
  code: 'ownerGone',
  text: 'The Holdfast that ran it ended before the run did. Everything but its last seconds is kept.',
} as const;

/**
 * Marks active runs whose process has ended as interrupted. If several processes find the same run, only one of them marks it. Returns the
 * ids of the runs that this process marked, whose results it must compute.
 */
export function recoverRuns(store: Store, self: ProcessIdentity, log: Log, nowMs = Date.now()): string[] {
  const recovered: string[] = [];
  for (const record of store.listUnended()) {
    if (!isGone(ownerOf(record), nowMs - record.heartbeat_ms, self)) continue;
    const endedAt = new Date(record.heartbeat_ms).toISOString();
    if (!store.end(record.key, { state: 'interrupted', endedAt, because: OWNER_GONE }, null)) continue;
    recovered.push(record.id);
  }
  if (recovered.length > 0) log.info('runs were interrupted', { runs: recovered });
  return recovered;
}

/** Computes missing results in the background. */
export class OutstandingResults {
  private readonly making = new Set<Promise<void>>();
  private readonly make: (runId: string) => Promise<unknown>;
  private readonly log: Pick<Log, 'failure'>;

  /** @param make Computes the result of a run and stores it. */
  constructor(make: (runId: string) => Promise<unknown>, log: Pick<Log, 'failure'>) {
    this.make = make;
    this.log = log;
  }

  add(runIds: readonly string[]): void {
    for (const runId of runIds) {
      const made = this.makeResult(runId);
      this.making.add(made);
      void made.finally(() => this.making.delete(made));
    }
  }

  private async makeResult(runId: string): Promise<void> {
    try {
      await this.make(runId);
    } catch (thrown) {
      this.log.failure('the result of an interrupted run could not be computed', thrown);
    }
  }

  /** Resolves when each result that is now missing has been stored or has failed. Never rejects. */
  async waitForAll(): Promise<void> {
    await Promise.all(this.making);
  }
}

/** Returns an id that sorts by time, can be read aloud, and is unique across processes: `20261121-093015-3fa2c1`. */
export function newRunId(now: Date): string {
  const [day = '', time = ''] = now.toISOString().split('T');
  return `${day.replaceAll('-', '')}-${time.slice(0, 8).replaceAll(':', '')}-${randomBytes(3).toString('hex')}`;
}
