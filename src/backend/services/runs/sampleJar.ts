import type { Sample } from '#core/work/samples/schema.ts';

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
