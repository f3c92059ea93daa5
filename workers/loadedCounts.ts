import { emptyLoadedCount } from '#core/measurement/windowFold.ts';
import type { LoadedCount } from '#core/measurement/window.ts';

/** The stage whose load runs from a time on the shared clock; null for none. */
export interface LoadedFrom {
  readonly stage: number | null;
  readonly fromUs: number;
}

/** Counts events while the load of a stage is running, whichever stage sent the request. Times must not decrease. */
export class LoadedCounts {
  private stage: number | null = null;
  private upcoming: readonly LoadedFrom[] = [];
  private nextUs = Number.POSITIVE_INFINITY;
  private counts: LoadedCount[] = [];
  private current: (LoadedCount | undefined)[] = [];

  /** Sets the stages and the times from which their loads run, in chronological order. */
  plan(stages: readonly LoadedFrom[]): void {
    this.enter(null);
    this.upcoming = stages;
    this.nextUs = stages[0]?.fromUs ?? Number.POSITIVE_INFINITY;
  }

  /** Returns the counts for an event; null while the load of no stage is running. */
  at(step: number, atUs: number): LoadedCount | null {
    while (atUs >= this.nextUs) this.next();
    if (this.stage === null) return null;
    const known = this.current[step];
    if (known !== undefined) return known;
    const count = emptyLoadedCount(this.stage, step);
    this.current[step] = count;
    this.counts.push(count);
    return count;
  }

  /** Returns the counts since the last call and resets them. */
  take(): LoadedCount[] {
    const taken = this.counts;
    this.counts = [];
    this.current = [];
    return taken;
  }

  private next(): void {
    const [begun, ...later] = this.upcoming;
    this.enter(begun?.stage ?? null);
    this.upcoming = later;
    this.nextUs = later[0]?.fromUs ?? Number.POSITIVE_INFINITY;
  }

  private enter(stage: number | null): void {
    this.stage = stage;
    this.current = [];
  }
}
