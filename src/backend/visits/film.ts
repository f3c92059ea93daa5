import { isInOpening, type Visit } from '#core/result/visits.ts';

/** A picture of the page, and its time in ms from the start of the navigation. */
export interface Frame {
  readonly atMs: number;
  readonly jpeg: Buffer;
}

export const MAX_FRAMES = 12;
export const MAX_FRAME_BYTES = 8_000;

/** Maximum size of frames in pixels. */
export const FRAME_SIZE = { desktop: { maxWidth: 320, maxHeight: 240 }, phone: { maxWidth: 160, maxHeight: 320 } } as const;
export const FRAME_QUALITY = 40;

/**
 * Returns a filmstrip: the frames that differ from the previous one, including the first and the last. If there are too many, selects some
 * at even distances in time.
 */
export function pickFilmstrip(frames: readonly Frame[]): Frame[] {
  const seenFrames = frames
    .filter(({ atMs, jpeg }) => atMs >= 0 && jpeg.length <= MAX_FRAME_BYTES)
    .toSorted((one, other) => one.atMs - other.atMs);
  const changedFrames = seenFrames.filter(({ jpeg }, index) => seenFrames[index - 1]?.jpeg.equals(jpeg) !== true);
  if (changedFrames.length <= MAX_FRAMES) return changedFrames;
  const from = changedFrames[0]?.atMs ?? 0;
  const step = ((changedFrames.at(-1)?.atMs ?? 0) - from) / (MAX_FRAMES - 1);
  const wanted = Array.from({ length: MAX_FRAMES }, (_, index) => changedFrames.findLast(({ atMs }) => atMs <= from + index * step + 1e-6));
  return [...new Set(wanted)].flatMap((frame) => frame ?? []);
}

interface FilmedVisit {
  readonly visit: Visit;
  readonly frames: readonly Frame[];
}

/** Maximum number of filmstrips per page that are held until the median visit is known. */
const MAX_HELD_FILMS = 40;

/**
 * Chooses the visits whose filmstrips are kept, for each page and part of the run: the median by largest paint, and the first one that
 * failed; and for each page and bell, the first one of the opening. Other filmstrips are discarded.
 */
export class FilmChoice {
  private readonly held = new Map<number, FilmedVisit[]>();
  private readonly failed = new Map<number, FilmedVisit>();
  /** Pages whose opening at a bell has been filmed, by the second of the bell. */
  private readonly filmedOpenings = new Map<number, Set<number>>();
  private readonly keep: (visit: Visit, frames: readonly Frame[]) => void;
  private readonly bells: readonly number[];

  /** `bells` are the seconds of the load at which bells ring. */
  constructor(keep: (visit: Visit, frames: readonly Frame[]) => void, bells: readonly number[] = []) {
    this.keep = keep;
    this.bells = bells;
  }

  add(visit: Visit, frames: readonly Frame[]): void {
    if (frames.length === 0) return;
    this.addToOpening(visit, frames);
    if (visit.problem !== null) {
      if (!this.failed.has(visit.page)) this.failed.set(visit.page, { visit, frames });
      return;
    }
    if (visit.largestPaintMs === null) return;
    const heldVisits = this.held.get(visit.page) ?? [];
    heldVisits.push({ visit, frames });
    if (heldVisits.length > MAX_HELD_FILMS) heldVisits.shift();
    this.held.set(visit.page, heldVisits);
  }

  private addToOpening(visit: Visit, frames: readonly Frame[]): void {
    const bell = this.bells.find((atSecond) => isInOpening(visit, atSecond));
    if (bell === undefined) return;
    const pages = this.filmedOpenings.get(bell) ?? new Set();
    if (!pages.has(visit.page)) this.keep(visit, frames);
    this.filmedOpenings.set(bell, pages.add(visit.page));
  }

  endPart(): void {
    for (const heldVisits of this.held.values()) {
      const inOrder = heldVisits.toSorted((one, other) => (one.visit.largestPaintMs ?? 0) - (other.visit.largestPaintMs ?? 0));
      const middle = inOrder[Math.floor((inOrder.length - 1) / 2)];
      if (middle !== undefined) this.keep(middle.visit, middle.frames);
    }
    this.held.clear();
    for (const { visit, frames } of this.failed.values()) this.keep(visit, frames);
    this.failed.clear();
  }
}
