import { freezesOf, isUsualWait, LEAST_MISSED, usualWaitWords } from '#core/judgement/diagnosis/freezes.ts';
import type { MeasuredRun } from '#core/judgement/diagnosis/rule.ts';
import { poolSettingWords, poolSizeOf, poolSizeWords, sizeOfEach } from '#core/judgement/diagnosis/poolSize.ts';
import { capitalized } from '#core/judgement/verdict/words.ts';
import { poolOf } from '#core/plan/pools.ts';
import { formatCount, formatSeconds } from '#core/base/units.ts';
import type { LevelFreeze, LevelReading } from './reading.ts';

/** Whoever answers nothing for so many times as long as 19 of 20 answers take at a level that was borne does not only work. */
const TIMES_USUAL = 3;

/** The longest stretch of a level in which nothing was answered. Whether that is unusual, only a level that was borne can tell. */
export function freezeIn(facts: MeasuredRun): LevelFreeze | null {
  const lasted = ({ fromSecond, toSecond }: { fromSecond: number; toSecond: number }): number => toSecond - fromSecond;
  const [longest] = freezesOf(facts, Infinity).toSorted((one, other) => lasted(other) - lasted(one));
  if (longest === undefined) return null;
  const { held, isPartial, inFlight } = longest;
  return {
    seconds: lasted(longest),
    inFlight,
    kind: poolOf(facts.plan.servers?.pool, facts.server.software),
    pool:
      held === null
        ? null
        : { monitor: held.monitor.name, stood: held.idleInTransaction, ...poolSizeOf(facts.plan, [{ held, isPartial }]) },
  };
}

type Frozen = LevelReading & { readonly freeze: LevelFreeze };

/** Levels at which a server stood still that was quick at a smaller one. */
export function frozenLevels(levels: readonly LevelReading[]): Frozen[] {
  const isFrozen = (one: LevelReading): one is Frozen => {
    const { freeze } = one;
    if (freeze === null) return false;
    const calm = levels.filter(({ outcome, level }) => outcome === 'held' && level < one.level);
    return calm.some(
      ({ okPerSecond, p95 }) =>
        freeze.seconds * (okPerSecond ?? 0) >= LEAST_MISSED && typeof p95 === 'number' && 1_000 * freeze.seconds >= TIMES_USUAL * p95,
    );
  };
  return levels.filter(isFrozen).toSorted((one, other) => one.level - other.level);
}

/** What stood still at the lowest of these levels, as the end of a sentence and in full; null where none did. */
export function freezeWords(
  frozen: readonly Frozen[],
  say: (level: number) => string,
): { readonly short: string; readonly long: string } | null {
  const [lowest] = frozen;
  if (lowest === undefined) return null;
  const at = frozen.map(({ level }) => say(level)).join(', ');
  const longest = Math.max(...frozen.map(({ freeze }) => freeze.seconds));
  const stood = `Why: at ${at} there was no response for up to ${formatSeconds(Math.round(longest))}`;
  const setting = poolSettingWords(lowest.freeze.kind);
  const pools = frozen.flatMap(({ freeze: { pool } }) => pool ?? []);
  const [first] = pools;
  if (first === undefined) {
    const most = Math.min(...frozen.map(({ freeze }) => freeze.inFlight));
    const usual = isUsualWait(longest) ? ` ${usualWaitWords(longest)}` : '';
    return {
      short: `, where it stands still for ${formatSeconds(Math.round(longest))}`,
      long: `${stood}, and then everything at once. The server was waiting, not working, most often for a free connection of its database pool, here of at most ${formatCount(most)} in total.${usual} ${capitalized(setting)}. A PostgreSQL monitor (“monitors” in the plan, “database” in the wizard) shows whether that is the cause.`,
    };
  }
  const each = sizeOfEach(
    pools.map(({ stood, each: size }) => ({ stood, isOfOne: size === stood })),
    first.servers,
  );
  const ofEach = pools.filter((pool) => pool.each === each);
  const size = poolSizeWords({ each, servers: first.servers, kept: ofEach.find(({ kept }) => kept !== null)?.kept ?? null });
  const least = Math.min(...ofEach.map(({ stood: count }) => count));
  return {
    short: `, where the pool of database connections, ${size}, is exhausted`,
    long: `${stood}, while ${formatCount(least)} connections of ${first.monitor} were idle in a transaction. That is its whole pool, ${size}: ${setting}.`,
  };
}
