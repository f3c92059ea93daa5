import type { Window } from '#core/stats/window.ts';
import { emptyWindow, mergeWindow } from '#core/stats/windowFold.ts';
import type { ThreadHealth } from '#workers/messages.ts';

/** How long a second waits for a thread that has not reported it. */
const GRACE_SECONDS = 3;

interface ThreadState {
  /** First second that this thread has not reported yet. */
  next: number;
  /** It will report no more: finished or lost. */
  closed: boolean;
  /** Unanswered requests of a thread that was lost stay unanswered. */
  inFlight: number;
}

interface Collected {
  window: Window;
  readonly healths: ThreadHealth[];
}

/**
 * Merges the windows of all threads second by second and hands them on in order and without gaps. What a thread reports too
 * late for its second is counted in the next one: it may be misplaced by seconds, it is never lost.
 */
export class Aggregator {
  private readonly threads: ThreadState[];
  private readonly emit: (window: Window, healths: readonly ThreadHealth[]) => void;
  private readonly collected = new Map<number, Collected>();
  private nextSecond = 0;

  constructor(threads: number, emit: (window: Window, healths: readonly ThreadHealth[]) => void) {
    this.threads = Array.from({ length: threads }, () => ({ next: 0, closed: false, inFlight: 0 }));
    this.emit = emit;
  }

  add(thread: number, window: Window, health: ThreadHealth): void {
    const state = this.threads[thread];
    if (state === undefined) throw new RangeError(`There is no thread ${thread}.`);
    state.next = Math.max(state.next, window.second + 1);
    state.inFlight = window.inFlight;
    const second = Math.max(window.second, this.nextSecond);
    const at = this.at(second);
    // In-flight is a level, not a flow: it is added up from each thread's newest when the second is handed on.
    mergeWindow(at.window, { ...window, second, inFlight: 0 });
    at.healths.push(health);
    this.handOn();
  }

  /** This thread reports no more. */
  close(thread: number): void {
    const state = this.threads[thread];
    if (state !== undefined) state.closed = true;
    this.handOn();
  }

  /** Hands on what has waited too long. `second`: the second that it is now. */
  advance(second: number): void {
    while (this.nextSecond < second - GRACE_SECONDS && this.threads.some(({ closed }) => !closed)) this.handOnNext();
    this.handOn();
  }

  private handOn(): void {
    while (this.isComplete(this.nextSecond)) this.handOnNext();
  }

  private isComplete(second: number): boolean {
    const open = this.threads.filter(({ closed }) => !closed);
    if (open.length === 0) return [...this.collected.keys()].some((waiting) => waiting >= second);
    return open.every(({ next }) => next > second);
  }

  private handOnNext(): void {
    const { window, healths } = this.at(this.nextSecond);
    this.collected.delete(this.nextSecond);
    this.nextSecond += 1;
    window.inFlight = this.threads.reduce((sum, { inFlight }) => sum + inFlight, 0);
    this.emit(window, healths);
  }

  private at(second: number): Collected {
    const known = this.collected.get(second);
    if (known !== undefined) return known;
    const fresh: Collected = { window: emptyWindow(second, 1), healths: [] };
    this.collected.set(second, fresh);
    return fresh;
  }
}
