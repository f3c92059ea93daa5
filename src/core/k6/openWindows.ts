import { hasSideCalls } from '#core/work/journey/flow/parts.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { endedCount } from '#core/measurement/cellFigures.ts';
import { noLoaded } from '#core/measurement/loaded.ts';
import type { LoadedCount, Window } from '#core/measurement/window.ts';
import { emptyWindow } from '#core/measurement/windowFold.ts';
import type { K6Layout } from './layout.ts';

/**
 * The seconds of one k6's run that are not over yet. Instants are microseconds since 1970, as k6 gives them; nothing may be counted before `begin` has said
 * when second 0 was.
 */
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

  /** When second 0 of the run began; null as long as that is not known. */
  get beganUs(): number | null {
    return this.originUs;
  }

  /** When the last request or journey ended, in seconds of the run. */
  get lastSecond(): number {
    return this.originUs === null ? 0 : Math.max(0, this.secondOf(this.lastEndUs));
  }

  sawEnd(atUs: number): void {
    this.lastEndUs = Math.max(this.lastEndUs, atUs);
  }

  secondOf(atUs: number): number {
    return (atUs - (this.originUs ?? 0)) / 1_000_000;
  }

  /** The window of a second of the run, or the oldest that is still open. */
  of(atSecond: number): Window {
    const second = Math.max(this.nextSecond, Math.floor(atSecond));
    let window = this.open.get(second);
    if (window === undefined) {
      window = { ...emptyWindow(second, 1), ...(hasSideCalls(this.plan) ? { side: { cells: [], inFlight: 0 } } : {}) };
      this.open.set(second, window);
    }
    return window;
  }

  /** What a step got done under the load of the stage that is loaded, and counts, at a second; null where none is. */
  loadedAt(second: number, step: number): LoadedCount | null {
    const stage = this.layout.loadedAt(second);
    if (stage === null) return null;
    const loaded = this.of(second).loaded;
    let count = loaded.find((known) => known.stage === stage && known.step === step);
    if (count === undefined) loaded.push((count = noLoaded(stage, step)));
    return count;
  }

  /** Takes the windows of all seconds before one, in order and without gaps. */
  takeBefore(until: number): Window[] {
    const windows: Window[] = [];
    for (; this.nextSecond < until; this.nextSecond += 1) {
      const window = this.of(this.nextSecond);
      this.open.delete(this.nextSecond);
      for (const cell of window.cells) this.inFlight += cell.started - endedCount(cell);
      window.inFlight = this.inFlight;
      windows.push(window);
    }
    return windows;
  }

  /** Takes the windows that are left. */
  takeAll(): Window[] {
    return this.takeBefore(Math.max(-1, ...this.open.keys()) + 1);
  }
}
