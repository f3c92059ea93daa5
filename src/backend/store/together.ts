import type { GeneratorReading } from '#core/result/schema.ts';
import type { Window } from '#core/measurement/window.ts';
import { mergeWindow } from '#core/measurement/windowFold.ts';

/** A stretch of a run at one of its generators, numbered from 0: what was measured, and how the generator was. */
export interface Stretch {
  readonly generator: number;
  readonly window: Window;
  readonly reading: GeneratorReading;
}

/** What each generator was owed when it was last heard of: it goes on with those who have ended, or were lost. */
export class Levels {
  private readonly inFlight = new Map<number, number>();
  private readonly side = new Map<number, number>();

  take({ generator, window }: Pick<Stretch, 'generator' | 'window'>): void {
    this.inFlight.set(generator, window.inFlight);
    if (window.side) this.side.set(generator, window.side.inFlight);
  }

  /** Gives a window of all generators what all of them are owed. */
  fill(window: Window): Window {
    window.inFlight = sumOf(this.inFlight);
    if (window.side) window.side.inFlight = sumOf(this.side);
    return window;
  }
}

/** Adds up windows of the same seconds, which follow each other; those of a single generator come out as they went in. */
export function* together(placed: Iterable<Pick<Stretch, 'generator' | 'window'>>, levels: Levels = new Levels()): Generator<Window> {
  let sum: Window | null = null;
  for (const stretch of placed) {
    const { window } = stretch;
    const isSame = sum !== null && sum.second === window.second && sum.width === window.width;
    if (sum !== null && !isSame) yield levels.fill(sum);
    levels.take(stretch);
    if (sum !== null && isSame) mergeWindow(sum, window);
    else sum = window;
  }
  if (sum !== null) yield levels.fill(sum);
}

function sumOf(levels: ReadonlyMap<number, number>): number {
  return [...levels.values()].reduce((sum, level) => sum + level, 0);
}
