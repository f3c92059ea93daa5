import { encodeHistogram } from '#core/statistics/histogram.ts';
import type { Window } from '#core/measurement/window.ts';

/** Returns a window as plain data in a fixed order. Windows with the same content are then equal, however they were built. */
export function comparable(window: Window): unknown {
  const cells = window.cells.map((cell) => ({
    ...cell,
    times: Object.fromEntries(
      Object.entries(cell.times)
        .filter(([, histogram]) => histogram.totalCount > 0)
        .map(([kind, histogram]) => [kind, [...encodeHistogram(histogram)].join(' ')]),
    ),
  }));
  const side = window.side && { ...window.side, cells: window.side.cells.toSorted((a, b) => a.step - b.step) };
  const loaded = window.loaded.toSorted((a, b) => a.stage - b.stage || a.step - b.step);
  return {
    ...window,
    side,
    loaded,
    cells: cells.sort((a, b) => a.stage - b.stage || a.step - b.step),
    overloadedBy: [...window.overloadedBy].sort(),
  };
}
