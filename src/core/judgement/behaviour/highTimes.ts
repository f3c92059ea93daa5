import type { LoadStretch } from '#core/work/load/profile.ts';
import type { Recovery } from '#core/result/behaviour.ts';

/** While the planned load is high. */
export interface HighTime {
  readonly from: number;
  readonly to: number;
  /** The highest of it, and the stage in which that is. */
  readonly level: number;
  readonly unit: LoadStretch['unit'];
  readonly stage: string;
}

/** The load is high where at least this share of the highest planned level is reached, calm where at most the other is. */
const HIGH_SHARE = 0.5;
export const CALM_SHARE = 0.34;
/** It is at its height where so much of the highest level of its own is reached. */
const TOP_SHARE = 0.9;

/** When the planned load is high; nothing where a stage ends by requests, for nobody knows when. */
export function highTimes(profile: readonly LoadStretch[]): HighTime[] {
  return above(profile, HIGH_SHARE * highestOf(profile));
}

/**
 * What the load did there: a spike takes less time in all, with its way up and down, than the calm before it, and does not climb for most of it; a plateau is held at its height
 * for at least as long as it climbs or falls; a rise climbs for longer.
 */
export function shapeOf(high: HighTime, profile: readonly LoadStretch[]): NonNullable<Recovery['shape']> {
  const busy = above(profile, CALM_SHARE * highestOf(profile));
  const index = busy.findIndex(({ from, to }) => from <= high.from && high.to <= to);
  const around = busy[index] ?? high;
  const tops = above(profile, TOP_SHARE * high.level).filter(({ from, to }) => from < high.to && to > high.from);
  const [reached, left] = [tops[0]?.from ?? high.from, tops.at(-1)?.to ?? high.to];
  const [climbs, holds, falls] = [reached - around.from, left - reached, around.to - left];
  const calm = around.from - (busy[index - 1]?.to ?? 0);
  if (climbs + holds + falls < calm && climbs <= holds + falls) return 'spike';
  if (holds >= climbs && holds >= falls) return 'plateau';
  return climbs >= falls ? 'rise' : 'spike';
}

export function highestOf(profile: readonly LoadStretch[]): number {
  return Math.max(0, ...profile.flatMap(({ level, toLevel }) => [level, toLevel]));
}

/** Highest planned level between two seconds. */
export function levelIn(profile: readonly LoadStretch[], from: number, to: number): number {
  return Math.max(
    0,
    ...profile.flatMap(({ fromSecond, toSecond, level, toLevel }) => {
      if (toSecond === null || toSecond <= from || fromSecond >= to) return [];
      const at = (second: number): number => level + ((toLevel - level) * (second - fromSecond)) / (toSecond - fromSecond);
      return [at(Math.max(from, fromSecond)), at(Math.min(to, toSecond))];
    }),
  );
}

/** Where the planned level is at least so high, in stretches that follow each other. */
function above(profile: readonly LoadStretch[], threshold: number): HighTime[] {
  const times: HighTime[] = [];
  for (const { stage, fromSecond, toSecond, level, toLevel, unit } of profile) {
    if (toSecond === null) return [];
    if (Math.max(level, toLevel) < threshold || threshold <= 0) continue;
    const crossing = level === toLevel ? fromSecond : fromSecond + ((threshold - level) / (toLevel - level)) * (toSecond - fromSecond);
    const from = level >= threshold ? fromSecond : crossing;
    const to = toLevel >= threshold ? toSecond : crossing;
    const last = times.at(-1);
    const highest = Math.max(level, toLevel);
    if (last !== undefined && last.to === from)
      times[times.length - 1] = { ...last, to, level: Math.max(last.level, highest), stage: highest > last.level ? stage : last.stage };
    else times.push({ from, to, level: highest, unit, stage });
  }
  return times;
}
