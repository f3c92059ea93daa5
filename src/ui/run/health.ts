import type { Point } from '#core/result/schema.ts';
import type { SickCause } from '#core/measurement/window.ts';

/** How well the generating computer kept up, read from the points of a run. */
export interface Health {
  /** Seconds measured, and those in which its figures are doubtful. */
  readonly seconds: number;
  readonly sickSeconds: number;
  /** Seconds by cause, most first. A second may have several causes. */
  readonly causes: readonly { readonly cause: SickCause; readonly seconds: number }[];
  /** The last second was a sick one. */
  readonly sickNow: boolean;
}

export function healthOf(points: readonly Point[]): Health {
  const byCause = new Map<SickCause, number>();
  let seconds = 0;
  let sickSeconds = 0;
  for (const { width, sick } of points) {
    seconds += width;
    if (sick.length > 0) sickSeconds += width;
    for (const cause of sick) byCause.set(cause, (byCause.get(cause) ?? 0) + width);
  }
  return {
    seconds,
    sickSeconds,
    causes: [...byCause].map(([cause, seconds]) => ({ cause, seconds })).sort((a, b) => b.seconds - a.seconds),
    sickNow: (points.at(-1)?.sick.length ?? 0) > 0,
  };
}
