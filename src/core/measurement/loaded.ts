import { addCounters, LOADED_COUNTERS, noCounters } from './counters.ts';
import type { EarlyAnswer, LoadedCount } from './window.ts';

/** A count of nothing. */
export function noLoaded(stage: number, step: number): LoadedCount {
  return { stage, step, ...noCounters(LOADED_COUNTERS) };
}

/** Adds what `from` counts to `into`, which keeps its own stage and step. */
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

/** So many answers of each stage and step are kept one by one: enough for the line through a queue, and little to carry. */
export const EARLY_ANSWERS = 64;

/** The earliest of two lists, in their order: associative and commutative, so windows and threads fold in any order. */
export function earliest(some: readonly EarlyAnswer[], others: readonly EarlyAnswer[]): EarlyAnswer[] {
  return [...some, ...others].sort(byStart).slice(0, EARLY_ANSWERS);
}

function byStart(one: EarlyAnswer, other: EarlyAnswer): number {
  return one.startUs - other.startUs || one.responseUs - other.responseUs || Number(one.ok) - Number(other.ok);
}

/** Which answers of one thread are among the first: asked of each, so it costs a comparison once there are enough. */
export class EarliestStarts {
  private readonly starts: number[] = [];
  private latestUs = Number.NEGATIVE_INFINITY;

  /** Whether an answer whose request was to start then is one of the first so far; it is remembered as such. */
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
