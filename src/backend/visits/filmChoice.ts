import type { Visit } from '#core/result/visit.ts';
import type { Frame } from './film.ts';

interface Filmed {
  readonly visit: Visit;
  readonly frames: readonly Frame[];
}

/** Films of so many visits of a page are held until the middle one is known. */
const MOST_HELD = 40;

/** Chooses which visit of each page and part of a run is shown: the one in the middle by its largest paint. Films of all others are forgotten. */
export class FilmChoice {
  private readonly held = new Map<number, Filmed[]>();
  private readonly keep: (visit: Visit, frames: readonly Frame[]) => void;

  constructor(keep: (visit: Visit, frames: readonly Frame[]) => void) {
    this.keep = keep;
  }

  add(visit: Visit, frames: readonly Frame[]): void {
    if (frames.length === 0 || visit.largestPaintMs === null) return;
    const held = this.held.get(visit.page) ?? [];
    held.push({ visit, frames });
    if (held.length > MOST_HELD) held.shift();
    this.held.set(visit.page, held);
  }

  /** A part of the run is over. */
  settle(): void {
    for (const held of this.held.values()) {
      const inOrder = held.toSorted((one, other) => (one.visit.largestPaintMs ?? 0) - (other.visit.largestPaintMs ?? 0));
      const middle = inOrder[Math.floor((inOrder.length - 1) / 2)];
      if (middle !== undefined) this.keep(middle.visit, middle.frames);
    }
    this.held.clear();
  }
}
