import { z } from 'zod';
import { OVERLOAD_CAUSES, type OverloadCause } from '#core/measurement/window.ts';

/**
 * Overloaded seconds of the load generators in a run, in total and by cause, the most frequent cause first. A second may have several
 * causes.
 */
export const overloadSchema = z.strictObject({
  seconds: z.int(),
  causes: z.array(z.strictObject({ cause: z.enum(OVERLOAD_CAUSES), seconds: z.int() })),
});
export type Overload = z.infer<typeof overloadSchema>;

interface Second {
  readonly width: number;
  readonly overloadedBy: readonly OverloadCause[];
}

/** Counts overloaded seconds in the same way for every text: in whole seconds, and at least 1 if there was any. */
export function countOverloadedSeconds(windows: readonly Second[], cause?: OverloadCause): number {
  const tally = new OverloadTally();
  for (const { width, overloadedBy } of windows)
    tally.add({ width, overloadedBy: cause === undefined || overloadedBy.includes(cause) ? overloadedBy : [] });
  return tally.overload().seconds;
}

/** Sums overloaded seconds of windows. A window counts once if any generator was overloaded. */
export class OverloadTally {
  private seconds = 0;
  private readonly byCause = new Map<OverloadCause, number>();

  add({ width, overloadedBy }: Second): void {
    if (overloadedBy.length > 0) this.seconds += width;
    for (const cause of overloadedBy) this.byCause.set(cause, (this.byCause.get(cause) ?? 0) + width);
  }

  overload(): Overload {
    return {
      seconds: wholeSeconds(this.seconds),
      causes: [...this.byCause]
        .map(([cause, seconds]) => ({ cause, seconds: wholeSeconds(seconds) }))
        .sort((one, other) => other.seconds - one.seconds),
    };
  }
}

/** Rounds to whole seconds. A part of a second counts as at least 1. */
export function wholeSeconds(seconds: number): number {
  return seconds === 0 ? 0 : Math.max(1, Math.round(seconds));
}

/** Returns the overload of a run. An older result does not contain it, but its points do, unless they were joined. */
export function findOverload({
  overload,
  windows,
}: {
  readonly overload?: Overload | undefined;
  readonly windows: readonly Second[];
}): Overload {
  if (overload !== undefined) return overload;
  const tally = new OverloadTally();
  for (const window of windows) tally.add(window);
  return tally.overload();
}
