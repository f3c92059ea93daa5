import { ResultTally } from '#core/judgement/buildResult.ts';
import { GeneratorRunTally } from '#core/judgement/generatorFigures.ts';
import type { Window } from '#core/measurement/window.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { InFlightByGenerator } from '#backend/store/folding.ts';
import type { Store } from '#backend/store/store.ts';

/** Sums of a run's windows, in total and per load generator. Windows are read at once or step by step during the run, each of them once. */
export class TalliedWindows {
  readonly whole: ResultTally;
  /** By generator number; empty if there is only one. */
  readonly parts: readonly GeneratorRunTally[];
  private readonly store: Store;
  private readonly key: number;
  private readonly inFlight = new InFlightByGenerator();
  private before = -Number.MAX_VALUE;
  private count = 0;
  private seconds = 0;

  constructor(store: Store, key: number, plan: Plan, generators: number) {
    this.store = store;
    this.key = key;
    this.whole = new ResultTally(plan, generators > 1);
    this.parts = generators > 1 ? Array.from({ length: generators }, () => new GeneratorRunTally()) : [];
  }

  /** Reads the windows that begin before `second`; by default all. */
  readOn(second = Number.MAX_VALUE): void {
    if (second <= this.before) return;
    const range = { from: this.before, before: second };
    const take = (generator: number, window: Window): void => {
      this.count += 1;
      this.seconds += window.width;
      this.parts[generator]?.add(window);
    };
    for (const window of this.store.windows(this.key, range, this.inFlight, take)) this.whole.add(window);
    this.before = second;
  }

  /**
   * Whether the store still holds exactly the windows that were read. A late window adds seconds, and folding reduces the number of
   * windows.
   */
  get isCurrent(): boolean {
    const { windows, seconds } = this.store.windowExtent(this.key, this.before);
    return windows === this.count && Math.abs(seconds - this.seconds) < 1e-6 * Math.max(1, seconds);
  }
}
