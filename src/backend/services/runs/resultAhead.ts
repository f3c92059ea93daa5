import { FOLD_LEVELS } from '#backend/store/folding.ts';
import type { ResultThread } from '#backend/results/resultThread.ts';

/** The result of a shorter run takes a fraction of a second. */
const MIN_SECOND = 120;
/** From then on older windows are folded: a longer run is read at its end. */
const MAX_SECOND = FOLD_LEVELS[0].afterSeconds;
const READ_INTERVAL_SECONDS = 10;
/** Maximum number of seconds read at once: some 10 ms with three hosts. */
const MAX_SECONDS_AT_ONCE = 60;
/** A host with a lost connection reports late. Without its windows, reading ahead would be useless. */
const DELAY_SECONDS = 30;

/**
 * Reads the windows of a long run during the run, so its result does not wait for all of them at the end. After an error, they are read at
 * the end. Only for loads from hosts: the reading thread would take processor time from a local load.
 */
export class ResultAhead {
  private readonly runId: string;
  private readonly results: Pick<ResultThread, 'ask'>;
  private readBefore = 0;
  private isReading = false;

  constructor(runId: string, results: Pick<ResultThread, 'ask'>) {
    this.runId = runId;
    this.results = results;
  }

  /** Called when all generators have reported this second, or are late. */
  secondPassed(second: number): void {
    const [from, before] = [this.readBefore, Math.min(second - DELAY_SECONDS, this.readBefore + MAX_SECONDS_AT_ONCE)];
    if (this.isReading || second < MIN_SECOND || second > MAX_SECOND || before < from + READ_INTERVAL_SECONDS) return;
    this.readBefore = before;
    this.isReading = true;
    this.results
      .ask('own.readOn', { runId: this.runId, from, before })
      .catch(() => {})
      .finally(() => (this.isReading = false));
  }
}
