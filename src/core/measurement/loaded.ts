import { answeredCount } from './cellFigures.ts';
import type { LoadedCount, Window } from './window.ts';

/** A count of nothing. */
export function noLoaded(stage: number, step: number): LoadedCount {
  return { stage, step, answered: 0, ok: 0, bytesReceived: 0, pages: 0 };
}

/** Adds what `from` counts to `into`, which keeps its own stage and step. */
export function addLoaded(into: LoadedCount, from: LoadedCount): void {
  into.answered += from.answered;
  into.ok += from.ok;
  into.bytesReceived += from.bytesReceived;
  into.pages += from.pages;
}

/** Adds each count of `from` to the one of the same stage and step. */
export function mergeLoaded(into: LoadedCount[], from: readonly LoadedCount[]): void {
  for (const count of from) {
    let known = into.find(({ stage, step }) => stage === count.stage && step === count.step);
    if (!known) into.push((known = noLoaded(count.stage, count.step)));
    addLoaded(known, count);
  }
}

/**
 * What the rates of stages count of a window. One that was written before this was counted apart is taken as if all that it holds had come
 * while the stage that asked for it was loaded.
 */
export function loadedOf(window: Window): readonly LoadedCount[] {
  return (
    window.loaded ??
    window.cells.map((cell) => ({
      stage: cell.stage,
      step: cell.step,
      answered: answeredCount(cell),
      ok: cell.outcomes.ok ?? 0,
      bytesReceived: cell.bytesReceived,
      pages: cell.times.page?.totalCount ?? 0,
    }))
  );
}
