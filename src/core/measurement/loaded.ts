import { addCounters, LOADED_COUNTERS, noCounters } from './counters.ts';
import type { EarlyAnswer, LoadedCount } from './window.ts';

/** Returns counters at 0 for a stage and step. */
export function noLoaded(stage: number, step: number): LoadedCount {
  return { stage, step, ...noCounters(LOADED_COUNTERS) };
}

/** Adds the counts of `from` to `into`, which keeps its own stage and step. */
export function addLoaded(into: LoadedCount, from: LoadedCount): void {
  addCounters(LOADED_COUNTERS, into, from);
}

/** Adds each count of `from` to the one of the same stage and step. */
export function mergeLoaded(into: LoadedCount[], from: readonly LoadedCount[]): void {
  for (const count of from) {
    let known = into.find(({ stage, step }) => stage === count.stage && step === count.step);
    if (!known) into.push((known = noLoaded(count.stage, count.step)));
    addLoaded(known, count);
  }
}

/** Number of first responses kept individually per stage and step: enough to fit a line to a growing queue. */
export const EARLY_ANSWERS = 64;

/** Merges the earliest responses of two lists, in order. Associative and commutative, so windows and threads can be folded in any order. */
export function earliest(some: readonly EarlyAnswer[], others: readonly EarlyAnswer[]): EarlyAnswer[] {
  return [...some, ...others].sort(byStart).slice(0, EARLY_ANSWERS);
}

function byStart(one: EarlyAnswer, other: EarlyAnswer): number {
  return one.startUs - other.startUs || one.responseUs - other.responseUs || Number(one.ok) - Number(other.ok);
}

/** Selects the first responses of one thread. It is called for each response, so it costs one comparison once enough are kept. */
export class EarliestStarts {
  private readonly starts: number[] = [];
  private latestUs = Number.NEGATIVE_INFINITY;

  /** Returns whether a response with this intended start is among the first so far, and remembers it if so. */
  takes(startUs: number): boolean {
    const { starts } = this;
    if (starts.length >= EARLY_ANSWERS) {
      if (startUs >= this.latestUs) return false;
      starts.splice(starts.indexOf(this.latestUs), 1);
    }
    starts.push(startUs);
    this.latestUs = Math.max(...starts);
    return true;
  }
}
