/** Chance that can be repeated: the same seed gives the same throws. */
export class Dice {
  private state: number;
  private readonly drawn = new Map<number, number>();

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** Uniform in [0, 1). Tommy Ettinger's mulberry32. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = this.state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** A time from the exponential distribution: its quantile function −mean·ln(1 − u). */
  exponential(mean: number): number {
    return -mean * Math.log(1 - this.next());
  }

  /** True for exactly one of each `size` requests in a row, at a place that chance chooses. */
  isOneOf(size: number, index: number): boolean {
    if (index % size === 0 || !this.drawn.has(size)) this.drawn.set(size, Math.floor(this.next() * size));
    return index % size === this.drawn.get(size);
  }
}
