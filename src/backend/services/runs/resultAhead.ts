import { FOLD_LEVELS } from '#backend/store/folding.ts';
import type { ResultThread } from '#backend/results/resultThread.ts';

/** The result of a shorter run takes a fraction of a second. */
const FROM_SECOND = 120;
/** Older windows are folded from then on: a longer run is read at its end. */
const TO_SECOND = FOLD_LEVELS[0].afterSeconds;
const EVERY_SECONDS = 10;
/** Read at once: some hundredths of a second with three hosts. */
const MOST_SECONDS = 60;
/** A host whose connection stood tells of such seconds later. What was read would be worth nothing without them. */
const BEHIND_SECONDS = 30;

/**
 * Has the windows of a long run read while it goes, so that its result does not wait for all of them to be read at its end. Where that fails, they are read at the end.
 * For loads that are made elsewhere: here, the thread that reads would take its start from the load.
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

  /** All generators have told of this second, or are late. */
  secondPassed(second: number): void {
    const [from, before] = [this.readBefore, Math.min(second - BEHIND_SECONDS, this.readBefore + MOST_SECONDS)];
    if (this.isReading || second < FROM_SECOND || second > TO_SECOND || before < from + EVERY_SECONDS) return;
    this.readBefore = before;
    this.isReading = true;
    this.results
      .ask('own.readOn', { runId: this.runId, from, before })
      .catch(() => {})
      .finally(() => (this.isReading = false));
  }
}
