import { uniformAt } from '#core/statistics/uniformAt.ts';

/**
 * Length of a section of the random sequence. Each thing draws from its own section, so its values do not depend on how many things there
 * are.
 */
const DRAWS_PER_SECTION = 10_000;

/** Random values for one of many things. The same seed and position always give the same values. */
export class Dice {
  private readonly seed: number;
  private index: number;

  constructor(seed: number, place: number) {
    this.seed = seed;
    this.index = place * DRAWS_PER_SECTION;
  }

  /** Returns a value that is uniform between `from` and `to`. */
  between(from: number, to: number): number {
    this.index += 1;
    return from + (to - from) * uniformAt(this.seed, this.index);
  }

  /** Returns an integer from `from` to `to`, both included. */
  integer(from: number, to: number): number {
    return Math.min(to, Math.floor(this.between(from, to + 1)));
  }

  pick<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.integer(0, items.length - 1)] ?? items[0];
  }
}
