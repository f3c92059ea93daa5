import type { EarlyAnswer } from './window.ts';

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
