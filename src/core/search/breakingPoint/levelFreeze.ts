import { formatCount, formatSeconds } from '#core/base/units.ts';
import { isStandstill, probableWait, type RunFreeze, usedUpPool } from '../freeze.ts';
import type { LevelReading } from './reading.ts';

type Frozen = LevelReading & { readonly freeze: RunFreeze };

/** Returns the levels at which a server froze that was quick at a smaller level. */
export function frozenLevels(levels: readonly LevelReading[]): Frozen[] {
  const isFrozen = (one: LevelReading): one is Frozen => {
    const { freeze } = one;
    if (freeze === null) return false;
    const calm = levels.filter(({ outcome, level }) => outcome === 'passed' && level < one.level);
    return calm.some(({ okPerSecond, p95 }) => isStandstill(freeze, { okPerSecond, p95Ms: typeof p95 === 'number' ? p95 : null }));
  };
  return levels.filter(isFrozen).toSorted((one, other) => one.level - other.level);
}

/** Describes the freeze at the lowest of these levels, as the end of a sentence and in full; null without one. */
export function freezeWords(
  frozen: readonly Frozen[],
  say: (level: number) => string,
): { readonly short: string; readonly long: string } | null {
  const [lowest] = frozen;
  if (lowest === undefined) return null;
  const at = frozen.map(({ level }) => say(level)).join(', ');
  const seconds = Math.max(...frozen.map(({ freeze }) => freeze.seconds));
  const longest = formatSeconds(Math.round(seconds));
  const stood = `Why: at ${at} there was no response for up to ${longest}`;
  const pool = usedUpPool(frozen.map(({ freeze }) => freeze));
  if (pool !== null) return { short: pool.short, long: `${stood}, ${pool.showed}` };
  const most = Math.min(...frozen.map(({ freeze }) => freeze.inFlight));
  const room = `, here of at most ${formatCount(most)} in total`;
  return {
    short: `, where it stands still for ${longest}`,
    long: `${stood}, and then everything at once. ${probableWait({ seconds, kind: lowest.freeze.kind }, room)}`,
  };
}
