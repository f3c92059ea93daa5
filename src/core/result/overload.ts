import { z } from 'zod';
import { SICK_CAUSES, type SickCause } from '#core/measurement/window.ts';

/** For how many seconds of a run its load generators were overloaded, and for how many by each cause, most first. A second may have several causes. */
export const overloadSchema = z.strictObject({
  seconds: z.int(),
  causes: z.array(z.strictObject({ cause: z.enum(SICK_CAUSES), seconds: z.int() })),
});
export type Overload = z.infer<typeof overloadSchema>;

interface Second {
  readonly width: number;
  readonly sick: readonly SickCause[];
}

/** Seconds of overload as every text counts them: whole ones, and never 0 where there was any. */
export function overloadedSeconds(windows: readonly Second[], cause?: SickCause): number {
  const tally = new OverloadTally();
  for (const { width, sick } of windows) tally.add({ width, sick: cause === undefined || sick.includes(cause) ? sick : [] });
  return tally.overload().seconds;
}

/** Adds up windows as they pass by. One in which any generator was overloaded counts once. */
export class OverloadTally {
  private seconds = 0;
  private readonly byCause = new Map<SickCause, number>();

  add({ width, sick }: Second): void {
    if (sick.length > 0) this.seconds += width;
    for (const cause of sick) this.byCause.set(cause, (this.byCause.get(cause) ?? 0) + width);
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

/** Rounded, but any part of a second counts as one. */
export function wholeSeconds(seconds: number): number {
  return seconds === 0 ? 0 : Math.max(1, Math.round(seconds));
}

/** The overload of a run. An older result does not hold it; its points do, unless they were joined. */
export function overloadOf({
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
