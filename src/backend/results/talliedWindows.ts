import { ResultTally } from '#core/judgement/buildResult.ts';
import { GeneratorRunTally } from '#core/judgement/generatorFigures.ts';
import type { Window } from '#core/measurement/window.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { InFlightByGenerator } from '#backend/store/folding.ts';
import type { Store } from '#backend/store/store.ts';

/** What the windows of a run tell, of all generators and of each of several: read from the store at once, or bit by bit while the run goes. Each window is read once. */
export class TalliedWindows {
  readonly whole: ResultTally;
  /** By the number of the generator; empty where there is one. */
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

  /** Reads on, to the windows that begin before `second`; left out, to the last. */
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
   * Whether the store still holds what was read, and no other window of that time. One that came late adds seconds, and windows that
   * were folded are fewer for the same seconds.
   */
  get isCurrent(): boolean {
    const { windows, seconds } = this.store.windowExtent(this.key, this.before);
    return windows === this.count && Math.abs(seconds - this.seconds) < 1e-6 * Math.max(1, seconds);
  }
}
