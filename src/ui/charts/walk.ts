import { middleOf } from '#core/presentation/charts/drawnIndexes.ts';
import type { Span } from '#core/presentation/charts/types.ts';

/** Share of the points that Page Up and Page Down pass. */
const PAGE = 0.1;

/** The index that a key leads to from the one looked at (-1: none yet); null when the key does not walk. */
export function walk(key: string, index: number, length: number): number | null {
  if (length === 0) return null;
  const page = Math.max(1, Math.round(length * PAGE));
  const last = length - 1;
  const from = index < 0 ? last : index;
  const clamp = (next: number): number => Math.min(last, Math.max(0, next));
  switch (key) {
    case 'ArrowLeft':
    case 'ArrowDown':
      return clamp(from - 1);
    case 'ArrowRight':
    case 'ArrowUp':
      return clamp(from + 1);
    case 'PageDown':
      return clamp(from - page);
    case 'PageUp':
      return clamp(from + page);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return null;
  }
}

/** Which of the drawn points is nearest to a second of the run; -1 when there is none. */
export function nearestDrawn(spans: readonly Span[], drawn: readonly number[], second: number): number {
  let best = -1;
  let least = Number.POSITIVE_INFINITY;
  drawn.forEach((index, place) => {
    const span = spans[index];
    const distance = span ? Math.abs(middleOf(span) - second) : Number.POSITIVE_INFINITY;
    if (distance < least) {
      least = distance;
      best = place;
    }
  });
  return best;
}
