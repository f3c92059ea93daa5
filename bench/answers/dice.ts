import { uniformAt } from '#core/statistics/uniformAt.ts';

/** Throws of one drawing take their numbers from a stretch of the sequence of their own, so that drawings do not depend on how many others there are. */
const STRETCH = 10_000;

/** What is drawn for one thing of many: the same seed and place always draw the same. */
export class Dice {
  private readonly seed: number;
  private index: number;

  constructor(seed: number, place: number) {
    this.seed = seed;
    this.index = place * STRETCH;
  }

  /** From `from` to `to`, evenly. */
  between(from: number, to: number): number {
    this.index += 1;
    return from + (to - from) * uniformAt(this.seed, this.index);
  }

  /** A whole number, both ends included. */
  whole(from: number, to: number): number {
    return Math.min(to, Math.floor(this.between(from, to + 1)));
  }

  one<Item>(items: readonly [Item, ...Item[]]): Item {
    return items[this.whole(0, items.length - 1)] ?? items[0];
  }
}
