import { noLoaded } from '#core/measurement/loaded.ts';
import type { LoadedCount } from '#core/measurement/window.ts';

/** From an instant on the shared clock, a stage is loaded; null: none is. */
export interface LoadedFrom {
  readonly stage: number | null;
  readonly fromUs: number;
}

/** Counts what comes while a stage is loaded, whichever stage asked for it. Instants never go back. */
export class LoadedCounts {
  private stage: number | null = null;
  private upcoming: readonly LoadedFrom[] = [];
  private nextUs = Number.POSITIVE_INFINITY;
  private counts: LoadedCount[] = [];
  /** Those of the stage that is loaded now, by step. */
  private current: (LoadedCount | undefined)[] = [];

  /** Which stages are loaded from here on, in order of time; none when empty. */
  plan(stages: readonly LoadedFrom[]): void {
    this.enter(null);
    this.upcoming = stages;
    this.nextUs = stages[0]?.fromUs ?? Number.POSITIVE_INFINITY;
  }

  /** Where to count what comes at an instant; null while no stage is loaded. */
  at(step: number, atUs: number): LoadedCount | null {
    while (atUs >= this.nextUs) this.next();
    if (this.stage === null) return null;
    const known = this.current[step];
    if (known !== undefined) return known;
    const count = noLoaded(this.stage, step);
    this.current[step] = count;
    this.counts.push(count);
    return count;
  }

  /** What was counted since the last call. */
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
