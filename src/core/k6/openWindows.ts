import { hasSideCalls } from '#core/work/journey/flow/executions.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { countEnded } from '#core/measurement/cellFigures.ts';
import { emptyWindow, emptyLoadedCount } from '#core/measurement/windowFold.ts';
import type { LoadedCount, Window } from '#core/measurement/window.ts';
import type { K6Layout } from './layout.ts';

/** The open seconds of a k6 run. Times are Unix times in microseconds, as in k6. `begin` must set second 0 before anything is counted. */
export class OpenWindows {
  private readonly plan: Plan;
  private readonly layout: K6Layout;
  private readonly open = new Map<number, Window>();
  private originUs: number | null = null;
  private nextSecond = 0;
  private inFlight = 0;
  private lastEndUs = 0;

  constructor(plan: Plan, layout: K6Layout) {
    this.plan = plan;
    this.layout = layout;
  }

  begin(originUs: number): void {
    this.originUs = originUs;
  }

  /** Unix time of second 0; null while unknown. */
  get beganUs(): number | null {
    return this.originUs;
  }

  /** End of the last request or journey, in seconds of the run. */
  get lastSecond(): number {
    return this.originUs === null ? 0 : Math.max(0, this.secondOf(this.lastEndUs));
  }

  sawEnd(atUs: number): void {
    this.lastEndUs = Math.max(this.lastEndUs, atUs);
  }

  secondOf(atUs: number): number {
    return (atUs - (this.originUs ?? 0)) / 1_000_000;
  }

  /** Returns the window of a second, or the oldest open window if the second is closed. */
  of(atSecond: number): Window {
    const second = Math.max(this.nextSecond, Math.floor(atSecond));
    let window = this.open.get(second);
    if (window === undefined) {
      window = { ...emptyWindow(second, 1), ...(hasSideCalls(this.plan) ? { side: { cells: [], inFlight: 0 } } : {}) };
      this.open.set(second, window);
    }
    return window;
  }

  /** Returns the counts of a step under load at a second; null outside the load of counted stages. */
  loadedAt(second: number, step: number): LoadedCount | null {
    const stage = this.layout.loadedAt(second);
    if (stage === null) return null;
    const loaded = this.of(second).loaded;
    let count = loaded.find((known) => known.stage === stage && known.step === step);
    if (count === undefined) loaded.push((count = emptyLoadedCount(stage, step)));
    return count;
  }

  /** Removes and returns the windows before a second, in order and without gaps. */
  takeBefore(until: number): Window[] {
    const windows: Window[] = [];
    for (; this.nextSecond < until; this.nextSecond += 1) {
      const window = this.of(this.nextSecond);
      this.open.delete(this.nextSecond);
      for (const cell of window.cells) this.inFlight += cell.started - countEnded(cell);
      window.inFlight = this.inFlight;
      windows.push(window);
    }
    return windows;
  }

  /** Removes and returns the remaining windows. */
  takeAll(): Window[] {
    return this.takeBefore(Math.max(-1, ...this.open.keys()) + 1);
  }
}
