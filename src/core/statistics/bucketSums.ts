/** Used buckets in ascending order, with their counts. */
export interface BucketPart {
  readonly indexes: readonly number[];
  readonly counts: readonly number[];
}

/** Fewest buckets by which the array grows. */
const MIN_GROWTH_BUCKETS = 512;

/** Dense counts of all buckets between the lowest and the highest used one. */
export class BucketSums {
  private first = 0;
  private counts = new Float64Array(0);

  add({ indexes, counts }: BucketPart): void {
    const [lowest, highest] = [indexes[0], indexes.at(-1)];
    if (lowest === undefined || highest === undefined) return;
    this.reach(lowest, highest);
    const { first, counts: sums } = this;
    for (let position = 0; position < indexes.length; position += 1) {
      const place = (indexes[position] ?? 0) - first;
      sums[place] = (sums[place] ?? 0) + (counts[position] ?? 0);
    }
  }

  addAll(other: BucketSums): void {
    this.reach(other.first, other.first + other.counts.length - 1);
    const shift = other.first - this.first;
    for (let place = 0; place < other.counts.length; place += 1)
      this.counts[place + shift] = (this.counts[place + shift] ?? 0) + (other.counts[place] ?? 0);
  }

  /** Visits every used bucket, lowest first. */
  forEach(visit: (index: number, count: number) => void): void {
    for (let place = 0; place < this.counts.length; place += 1) {
      const count = this.counts[place] ?? 0;
      if (count > 0) visit(this.first + place, count);
    }
  }

  countAt(index: number): number {
    return this.counts[index - this.first] ?? 0;
  }

  countAfter(index: number): number {
    let after = 0;
    for (let place = this.counts.length - 1; place >= 0 && this.first + place > index; place -= 1) after += this.counts[place] ?? 0;
    return after;
  }

  /** Returns the highest bucket such that it and all higher ones hold more than `above` times; -1 if there is none. */
  indexBelow(above: number): number {
    let passed = 0;
    for (let place = this.counts.length - 1; place >= 0; place -= 1) {
      passed += this.counts[place] ?? 0;
      if (passed > above) return this.first + place;
    }
    return -1;
  }

  private reach(lowest: number, highest: number): void {
    const [before, end] = [this.counts.length, this.first + this.counts.length];
    if (lowest >= this.first && highest < end) return;
    const first = before > 0 && lowest >= this.first ? this.first : Math.floor(lowest / MIN_GROWTH_BUCKETS) * MIN_GROWTH_BUCKETS;
    const grown = new Float64Array(
      Math.ceil((Math.max(highest + 1, before > 0 ? end : 0) - first) / MIN_GROWTH_BUCKETS) * MIN_GROWTH_BUCKETS,
    );
    if (before > 0) grown.set(this.counts, this.first - first);
    this.first = first;
    this.counts = grown;
  }
}
