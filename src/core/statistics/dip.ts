/** Responses per second at a level of load. */
export interface LevelRate {
  readonly name: string;
  readonly level: number;
  readonly responses: number;
  readonly perSecond: number;
}

/** Three levels of increasing load. The middle one had far less throughput than both others. */
export interface Dip {
  readonly lighter: LevelRate;
  readonly between: LevelRate;
  readonly heavier: LevelRate;
}

/**
 * Minimum number of responses at a level. With it, the standard error of a rate is 7 % (1/√200), and that of the ratio of two rates is
 * 10 %. A dip of a quarter with a recovery occurs by chance in 0.005 % of cases.
 */
const MIN_RESPONSES = 200;
const MAX_THROUGHPUT_RATIO = 0.75;

/**
 * Returns the deepest dip among levels; null if there is none. An overloaded server may complete fewer requests under more load, but
 * throughput that recovers at a still higher level means that the server's state changed.
 */
export function findDip(levels: readonly LevelRate[]): Dip | null {
  const usableLevels = levels
    .filter(({ responses, perSecond }) => responses >= MIN_RESPONSES && perSecond > 0)
    .toSorted((one, other) => one.level - other.level);
  const dips = usableLevels.flatMap((between, index) => {
    const lighter = findHighest(usableLevels.slice(0, index).filter(({ level }) => level < between.level));
    const heavier = findHighest(usableLevels.slice(index + 1).filter(({ level }) => level > between.level));
    if (lighter === null || heavier === null) return [];
    return between.perSecond < MAX_THROUGHPUT_RATIO * Math.min(lighter.perSecond, heavier.perSecond) ? [{ lighter, between, heavier }] : [];
  });
  return dips.toSorted((one, other) => one.between.perSecond - other.between.perSecond)[0] ?? null;
}

function findHighest(levels: readonly LevelRate[]): LevelRate | null {
  return levels.reduce<LevelRate | null>((most, one) => (most === null || one.perSecond > most.perSecond ? one : most), null);
}
