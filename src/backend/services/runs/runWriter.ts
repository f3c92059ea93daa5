import type { Sample } from '#core/work/samples/schema.ts';
import { isStoreFailure } from '#backend/store/failures.ts';

/** The windows and events of a drain of some minutes. */
const MOST_WAITING = 1_000;

/**
 * Writes what a run tells to the store, in its order. After the first failure, as of a full disk, all that follows waits: the run is then stopped, and what it
 * still tells until it has ended is written with its end.
 */
export class RunWriter {
  private readonly onFailure: (thrown: unknown) => void;
  private readonly waiting: (() => void)[] = [];
  private lost = false;

  /** @param onFailure told of the first failure, and of what can never be written. */
  constructor(onFailure: (thrown: unknown) => void) {
    this.onFailure = onFailure;
  }

  /** Whether there was too much to wait for. */
  get hasLost(): boolean {
    return this.lost;
  }

  write(work: () => void): void {
    if (this.waiting.length >= MOST_WAITING) this.lost = true;
    else if (this.waiting.push(work) === 1) this.tryFirst();
  }

  /** Writes what waits. Throws what the store throws; the rest waits on. */
  flush(): void {
    for (let work = this.waiting[0]; work !== undefined; work = this.waiting[0]) {
      try {
        work();
      } catch (thrown) {
        if (isStoreFailure(thrown)) throw thrown;
        // It can never be written: nothing may wait for it.
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

/** Of each kind of failure of each request, over all threads. */
const MOST_OF_A_KIND = 3;
const MOST = 60;
const MOST_CHARACTERS = 1_000_000;

/** Decides which of the samples that the threads of a run send are kept with it. */
export class SampleJar {
  private readonly counts = new Map<string, number>();
  private taken = 0;
  private characters = 0;

  /** Whether there is room for it; then it is taken to be kept. */
  admit(sample: Sample): boolean {
    const kind = `${sample.request} ${sample.failure ?? ''}`;
    const count = this.counts.get(kind) ?? 0;
    const size = JSON.stringify(sample).length;
    if (count >= MOST_OF_A_KIND || this.taken >= MOST || this.characters + size > MOST_CHARACTERS) return false;
    this.counts.set(kind, count + 1);
    this.taken += 1;
    this.characters += size;
    return true;
  }
}
