/** Response times at a level of load, as extremes over several runs. */
export interface LevelTimes {
  readonly name: string;
  /** Load: number of users or connections. */
  readonly level: number;
  /** Smallest number of responses in any of the runs. */
  readonly responses: number;
  /** Lowest 95th percentile of the runs in ms. `mostP99`: their highest 99th percentile. */
  readonly leastP95: number;
  readonly mostP99: number;
}

export interface UnsteadyPair {
  readonly lighter: LevelTimes;
  readonly heavier: LevelTimes;
}

/**
 * Minimum number of responses per run. With it, 5 responses beyond the true 99th percentile occur by chance in 0.3 % of cases (binomial
 * distribution).
 */
const MIN_RESPONSES = 100;
/** Minimum difference that is noticeable, as a factor and in ms. */
const MIN_SLOWDOWN_RATIO = 1.25;
const MIN_SLOWDOWN_MS = 10;

/**
 * Returns the pair of levels with the largest ratio at which the lighter load was slower: the p95 under the lighter load exceeds the p99
 * under the heavier one. Returns null if response times grow with the load.
 */
export function findUnsteady(levels: readonly LevelTimes[]): UnsteadyPair | null {
  const usableLevels = levels.filter(({ responses }) => responses >= MIN_RESPONSES);
  const pairs = usableLevels.flatMap((lighter) =>
    usableLevels.flatMap((heavier) =>
      lighter.level < heavier.level &&
      lighter.leastP95 > MIN_SLOWDOWN_RATIO * heavier.mostP99 &&
      lighter.leastP95 - heavier.mostP99 > MIN_SLOWDOWN_MS
        ? [{ lighter, heavier }]
        : [],
    ),
  );
  return pairs.toSorted((one, other) => ratio(other) - ratio(one))[0] ?? null;
}

function ratio({ lighter, heavier }: UnsteadyPair): number {
  return lighter.leastP95 / heavier.mostP99;
}
