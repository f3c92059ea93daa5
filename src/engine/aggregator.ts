import type { Window } from '#core/measurement/window.ts';
import { emptyWindow, mergeWindow } from '#core/measurement/windowFold.ts';

/** How long a second waits for a thread that has not reported it. */
const GRACE_SECONDS = 3;

interface ThreadState {
  /** First second that this thread has not reported yet. */
  next: number;
  /** It will report no more: finished or lost. */
  closed: boolean;
  /** Unanswered requests, and side calls, of a thread that was lost stay unanswered. */
  inFlight: number;
  sideInFlight: number | null;
}

interface Collected<Detail> {
  window: Window;
  readonly details: Detail[];
}

/**
 * Merges the windows of all threads, or of all machines, second by second and hands them on in order and without gaps. `Detail` is what comes with
 * each window. What a thread reports too
 * late for its second is counted in the next one: it may be misplaced by seconds, it is never lost.
 */
export class Aggregator<Detail> {
  private readonly threads: ThreadState[];
  private readonly emit: (window: Window, details: readonly Detail[]) => void;
  private readonly collected = new Map<number, Collected<Detail>>();
  private nextSecond = 0;

  constructor(threads: number, emit: (window: Window, details: readonly Detail[]) => void) {
    this.threads = Array.from({ length: threads }, () => ({ next: 0, closed: false, inFlight: 0, sideInFlight: null }));
    this.emit = emit;
  }

  add(thread: number, window: Window, detail: Detail): void {
    const state = this.threads[thread];
    if (state === undefined) throw new RangeError(`There is no thread ${thread}.`);
    state.next = Math.max(state.next, window.second + 1);
    state.inFlight = window.inFlight;
    state.sideInFlight = window.side?.inFlight ?? state.sideInFlight;
    const second = Math.max(window.second, this.nextSecond);
    const at = this.at(second);
    // In-flight is a level, not a flow: it is added up from each thread's newest when the second is handed on.
    const side = window.side && { cells: window.side.cells, inFlight: 0 };
    mergeWindow(at.window, { ...window, second, inFlight: 0, ...(side ? { side } : {}) });
    at.details.push(detail);
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
    const { window, details } = this.at(this.nextSecond);
    this.collected.delete(this.nextSecond);
    this.nextSecond += 1;
    window.inFlight = this.threads.reduce((sum, { inFlight }) => sum + inFlight, 0);
    if (window.side) window.side.inFlight = this.threads.reduce((sum, { sideInFlight }) => sum + (sideInFlight ?? 0), 0);
    this.emit(window, details);
  }

  private at(second: number): Collected<Detail> {
    const known = this.collected.get(second);
    if (known !== undefined) return known;
    const fresh: Collected<Detail> = { window: emptyWindow(second, 1), details: [] };
    this.collected.set(second, fresh);
    return fresh;
  }
}
