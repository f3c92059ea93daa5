/** How long answers took at a level of load; over several runs, the ends of what they say. */
export interface LevelTimes {
  readonly name: string;
  /** How much load: users, connections. */
  readonly level: number;
  /** The fewest answers that the percentiles of one run are of. */
  readonly answers: number;
  /** The lowest 95th and the highest 99th percentile of the runs, in ms. */
  readonly leastP95: number;
  readonly mostP99: number;
}

export interface Unsteady {
  readonly lighter: LevelTimes;
  readonly heavier: LevelTimes;
}

/** With so many answers, 5 beyond what 99 of 100 stay within are chance once in 300 times (binomial distribution). */
const ENOUGH = 100;
/** What is nobody's worry, as a factor and in ms. */
const FACTOR = 1.25;
const NOTICEABLE_MS = 10;

/**
 * The lighter load under which answers took longest in comparison with a heavier one, although it asked less of the server: of its answers one
 * in twenty took longer than 99 of 100 did under the heavier. null where there is none: the more load, the longer it takes.
 */
export function unsteadyAmong(levels: readonly LevelTimes[]): Unsteady | null {
  const known = levels.filter(({ answers }) => answers >= ENOUGH);
  const pairs = known.flatMap((lighter) =>
    known.flatMap((heavier) =>
      lighter.level < heavier.level && lighter.leastP95 > FACTOR * heavier.mostP99 && lighter.leastP95 - heavier.mostP99 > NOTICEABLE_MS
        ? [{ lighter, heavier }]
        : [],
    ),
  );
  return pairs.toSorted((one, other) => ratio(other) - ratio(one))[0] ?? null;
}

function ratio({ lighter, heavier }: Unsteady): number {
  return lighter.leastP95 / heavier.mostP99;
}
