import type { Sample } from '#core/work/samples/schema.ts';
import { isStoreFailure } from '#backend/store/failures.ts';

/** Windows and events of a drain of some minutes. */
const MAX_QUEUED = 1_000;

/**
 * Writes a run to the store in order. After the first failure, such as a full disk, later writes are queued: the run is then stopped, and
 * the queue is written with its end.
 */
export class RunWriter {
  private readonly onFailure: (thrown: unknown) => void;
  private readonly waiting: (() => void)[] = [];
  private lost = false;

  /** @param onFailure Called for the first failure, and for writes that can never succeed. */
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

  /** Writes the queue. Throws the error of the store; the rest stays queued. */
  flush(): void {
    for (let work = this.waiting[0]; work !== undefined; work = this.waiting[0]) {
      try {
        work();
      } catch (thrown) {
        if (isStoreFailure(thrown)) throw thrown;
        // A write that can never succeed must not block the others.
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

/** Maximum number of samples of each kind of failure per request, over all threads. */
const MAX_SAMPLES_PER_KIND = 3;
const MAX_SAMPLES = 60;
const MAX_CHARACTERS = 1_000_000;

/** Decides which samples of all threads are kept with a run. */
export class SampleJar {
  private readonly counts = new Map<string, number>();
  private taken = 0;
  private characters = 0;

  /** Returns whether there is room for the sample, and reserves it. */
  admit(sample: Sample): boolean {
    const kind = `${sample.request} ${sample.failure ?? ''}`;
    const count = this.counts.get(kind) ?? 0;
    const size = JSON.stringify(sample).length;
    if (count >= MAX_SAMPLES_PER_KIND || this.taken >= MAX_SAMPLES || this.characters + size > MAX_CHARACTERS) return false;
    this.counts.set(kind, count + 1);
    this.taken += 1;
    this.characters += size;
    return true;
  }
}
