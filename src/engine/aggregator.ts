import type { Window } from '#core/measurement/window.ts';
import { emptyWindow, mergeWindow } from '#core/measurement/windowFold.ts';

/** Maximum delay of a second's window, for threads that have not reported this second. */
const MAX_DELAY_SECONDS = 3;

interface ThreadState {
  /** First second that this thread has not reported. */
  next: number;
  /** Whether the thread has finished or is lost. */
  closed: boolean;
  /** Number of outstanding requests and side calls. Those of a lost thread stay outstanding. */
  inFlight: number;
  sideInFlight: number | null;
}

interface CollectedWindow<Detail> {
  window: Window;
  readonly details: Detail[];
}

/**
 * Merges the windows of all threads, or of all machines, second by second, and emits them in order and without gaps. `Detail` is additional
 * data of each window. A late window is counted in the next second to be emitted: its counts may be misplaced by seconds, but are never
 * lost.
 */
export class Aggregator<Detail> {
  private readonly threads: ThreadState[];
  private readonly emit: (window: Window, details: readonly Detail[]) => void;
  private readonly collected = new Map<number, CollectedWindow<Detail>>();
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
    const at = this.collectedAt(second);
    // The number in flight is a level, not a flow, so the newest value of each thread is added when the second is emitted.
    const side = window.side && { cells: window.side.cells, inFlight: 0 };
    mergeWindow(at.window, { ...window, second, inFlight: 0, ...(side ? { side } : {}) });
    at.details.push(detail);
    this.emitComplete();
  }

  /** Notes that a thread will report nothing more. */
  close(thread: number): void {
    const state = this.threads[thread];
    if (state !== undefined) state.closed = true;
    this.emitComplete();
  }

  /** Emits windows that have waited too long. `second`: the current second. */
  advance(second: number): void {
    while (this.nextSecond < second - MAX_DELAY_SECONDS && this.threads.some(({ closed }) => !closed)) this.emitNext();
    this.emitComplete();
  }

  private emitComplete(): void {
    while (this.isComplete(this.nextSecond)) this.emitNext();
  }

  private isComplete(second: number): boolean {
    const open = this.threads.filter(({ closed }) => !closed);
    if (open.length === 0) return [...this.collected.keys()].some((waiting) => waiting >= second);
    return open.every(({ next }) => next > second);
  }

  private emitNext(): void {
    const { window, details } = this.collectedAt(this.nextSecond);
    this.collected.delete(this.nextSecond);
    this.nextSecond += 1;
    window.inFlight = this.threads.reduce((sum, { inFlight }) => sum + inFlight, 0);
    if (window.side) window.side.inFlight = this.threads.reduce((sum, { sideInFlight }) => sum + (sideInFlight ?? 0), 0);
    this.emit(window, details);
  }

  private collectedAt(second: number): CollectedWindow<Detail> {
    const known = this.collected.get(second);
    if (known !== undefined) return known;
    const fresh: CollectedWindow<Detail> = { window: emptyWindow(second, 1), details: [] };
    this.collected.set(second, fresh);
    return fresh;
  }
}
