/** How many answers a second a level of load got. */
export interface LevelRate {
  readonly name: string;
  readonly level: number;
  readonly answers: number;
  readonly perSecond: number;
}

/** Three levels of growing load of which the middle one got far less than both others. */
export interface Dip {
  readonly lighter: LevelRate;
  readonly between: LevelRate;
  readonly heavier: LevelRate;
}

/**
 * With so many answers a rate is known to 7 % (the root of a count), the ratio of two to 10 %: a quarter less than one and a quarter more again by chance
 * is a matter of 1 in 20,000.
 */
const ENOUGH = 200;
const LESS = 0.75;

/**
 * The deepest dip among levels: more load may get less, from a server that is overrun, but not more again after that, unless the server was in another state. null where
 * there is none.
 */
export function dipAmong(levels: readonly LevelRate[]): Dip | null {
  const known = levels
    .filter(({ answers, perSecond }) => answers >= ENOUGH && perSecond > 0)
    .toSorted((one, other) => one.level - other.level);
  const dips = known.flatMap((between, index) => {
    const lighter = highest(known.slice(0, index).filter(({ level }) => level < between.level));
    const heavier = highest(known.slice(index + 1).filter(({ level }) => level > between.level));
    if (lighter === null || heavier === null) return [];
    return between.perSecond < LESS * Math.min(lighter.perSecond, heavier.perSecond) ? [{ lighter, between, heavier }] : [];
  });
  return dips.toSorted((one, other) => one.between.perSecond - other.between.perSecond)[0] ?? null;
}

function highest(levels: readonly LevelRate[]): LevelRate | null {
  return levels.reduce<LevelRate | null>((most, one) => (most === null || one.perSecond > most.perSecond ? one : most), null);
}
