/** A picture of the page, and when it stood there, in ms from the start of the navigation. */
export interface Frame {
  readonly atMs: number;
  readonly jpeg: Buffer;
}

export const MOST_FRAMES = 12;
export const MOST_FRAME_BYTES = 8_000;

/** How large frames are at most, in pixels, and how much of them is kept. */
export const FRAME_SIZE = { desktop: { maxWidth: 320, maxHeight: 240 }, phone: { maxWidth: 160, maxHeight: 320 } } as const;
export const FRAME_QUALITY = 40;

/** A film of few frames: those that differ from the one before, the first and last among them, and of more than fit those that lie most evenly in time. */
export function filmstripOf(frames: readonly Frame[]): Frame[] {
  const seen = frames
    .filter(({ atMs, jpeg }) => atMs >= 0 && jpeg.length <= MOST_FRAME_BYTES)
    .toSorted((one, other) => one.atMs - other.atMs);
  const changed = seen.filter(({ jpeg }, index) => seen[index - 1]?.jpeg.equals(jpeg) !== true);
  if (changed.length <= MOST_FRAMES) return changed;
  const from = changed[0]?.atMs ?? 0;
  const step = ((changed.at(-1)?.atMs ?? 0) - from) / (MOST_FRAMES - 1);
  const wanted = Array.from({ length: MOST_FRAMES }, (_, index) => changed.findLast(({ atMs }) => atMs <= from + index * step + 1e-6));
  return [...new Set(wanted)].flatMap((frame) => frame ?? []);
}
