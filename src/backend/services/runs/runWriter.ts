import type { Sample } from '#core/work/samples/schema.ts';
import { isStoreFailure } from '#backend/store/failures.ts';
import { FOLD_LEVELS } from '#backend/store/folding.ts';
import type { ResultThread } from '#backend/results/resultThread.ts';

/** Maximum number of queued writes, enough for the windows and events of a drain of some minutes. */
const MAX_QUEUED = 1_000;

/**
 * Writes a run to the store in order. After the first failure, such as a full disk, later writes are queued. The run is then stopped, and
 * the queue is written when the run ends.
 */
export class RunWriter {
  private readonly onFailure: (thrown: unknown) => void;
  private readonly waiting: (() => void)[] = [];
  private lost = false;

  /** @param onFailure Called at the first failure, and for writes that can never succeed. */
  constructor(onFailure: (thrown: unknown) => void) {
    this.onFailure = onFailure;
  }

  /** Whether the queue has overflowed or a write was dropped. */
  get hasLost(): boolean {
    return this.lost;
  }

  write(work: () => void): void {
    if (this.waiting.length >= MAX_QUEUED) this.lost = true;
    else if (this.waiting.push(work) === 1) this.tryFirst();
  }

  /** Writes the queue. If the store throws, throws that error and keeps the rest queued. */
  flush(): void {
    for (let work = this.waiting[0]; work !== undefined; work = this.waiting[0]) {
      try {
        work();
      } catch (thrown) {
        if (isStoreFailure(thrown)) throw thrown;
        // A write that can never succeed must not block later writes.
        this.lost = true;
        this.onFailure(thrown);
      }
      this.waiting.shift();
    }
  }

  private tryFirst(): void {
    try {
      this.flush();
    } catch (thrown) {
      this.onFailure(thrown);
    }
  }
}

/** Maximum number of samples per request and kind of failure, over all threads. */
const MAX_SAMPLES_PER_KIND = 3;
const MAX_SAMPLES = 60;
const MAX_CHARACTERS = 1_000_000;
/** Requests with a trace id are kept in addition: the slowest of each thread and leg, and a few failures of each kind. */
const MAX_TRACES_PER_KIND = 100;
const MAX_TRACES = 1_000;

/** Selects the samples of all threads that are kept with a run. */
export class SampleSelection {
  private readonly counts = new Map<string, number>();
  private taken = 0;
  private traces = 0;
  private characters = 0;

  /** Returns whether there is room for the sample, and reserves it. */
  admit(sample: Sample): boolean {
    const isTraced = sample.traceId !== undefined;
    const kind = `${sample.request} ${sample.failure ?? ''} ${isTraced}`;
    const count = this.counts.get(kind) ?? 0;
    const size = JSON.stringify(sample).length;
    const [most, mostOfKind] = isTraced ? [MAX_TRACES, MAX_TRACES_PER_KIND] : [MAX_SAMPLES, MAX_SAMPLES_PER_KIND];
    const taken = isTraced ? this.traces : this.taken;
    if (count >= mostOfKind || taken >= most || this.characters + size > MAX_CHARACTERS) return false;
    this.counts.set(kind, count + 1);
    if (isTraced) this.traces += 1;
    else this.taken += 1;
    this.characters += size;
    return true;
  }
}

/** First second of a run in which windows are read ahead. A shorter run is read at its end, in a fraction of a second. */
const MIN_SECOND = 120;
/** Last second in which windows are read ahead. From this second on, older windows are folded, so a longer run is read at its end. */
const MAX_SECOND = FOLD_LEVELS[0].afterSeconds;
const READ_INTERVAL_SECONDS = 10;
/** Maximum number of seconds that are read at once. Reading them takes some 10 ms with three hosts. */
const MAX_SECONDS_AT_ONCE = 60;
/**
 * Delay of reading ahead, for hosts that report late after a lost connection. If their windows were missing, reading ahead would be
 * useless.
 */
const DELAY_SECONDS = 30;

/**
 * Reads the windows of a long run while it runs, so that its result is ready soon after its end. After an error, all windows are read at
 * the end. Used only for loads from hosts, because the reading thread would take processor time from a local load.
 */
export class EarlyResultReader {
  private readonly runId: string;
  private readonly results: Pick<ResultThread, 'ask'>;
  private readBefore = 0;
  private isReading = false;

  constructor(runId: string, results: Pick<ResultThread, 'ask'>) {
    this.runId = runId;
    this.results = results;
  }

  /** Called when all generators have reported this second or are late. */
  onSecondPassed(second: number): void {
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
