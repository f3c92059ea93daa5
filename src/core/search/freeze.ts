import { capitalized } from '#core/base/text.ts';
import { z } from 'zod';
import { freezesOf, isUsualWait, MIN_MISSED, usualWaitWords } from '#core/judgement/diagnosis/freezes.ts';
import type { MeasuredRun } from '#core/judgement/diagnosis/rule.ts';
import { poolSettingWords, poolSizeOf, poolSizeWords, sizeOfEach } from '#core/judgement/diagnosis/poolSize.ts';
import { poolOf, poolSchema } from '#core/plan/pools.ts';
import { formatCount } from '#core/base/units.ts';

/** Whoever answers nothing for so many times as long as 19 of 20 answers take at a load that was borne does not only work. */
const TIMES_USUAL = 3;

/** For how long a server answered nothing in a run, or nothing that needs its database, at how many requests at a time, and what its database showed meanwhile. */
export const runFreezeSchema = z.strictObject({
  seconds: z.number(),
  /** Of the run; null in results of earlier versions. */
  fromSecond: z.number().nullable().default(null),
  inFlight: z.int(),
  /** What most probably keeps the connections to the database; null where nothing tells. */
  kind: poolSchema.nullable(),
  /** The pool that was used up, as far as a monitor of the database tells. */
  pool: z
    .strictObject({ monitor: z.string(), stood: z.number(), each: z.number(), servers: z.int(), kept: z.number().nullable() })
    .nullable(),
});
export type RunFreeze = z.infer<typeof runFreezeSchema>;

/** The longest stretch of a run in which nothing was answered. Whether that is unusual, only a load that was borne can tell: {@link isStandstill}. */
export function freezeIn(facts: MeasuredRun): RunFreeze | null {
  const lasted = ({ fromSecond, toSecond }: { fromSecond: number; toSecond: number }): number => toSecond - fromSecond;
  const [longest] = freezesOf(facts, Infinity).toSorted((one, other) => lasted(other) - lasted(one));
  if (longest === undefined) return null;
  const { fromSecond, held, isPartial, inFlight } = longest;
  return {
    seconds: lasted(longest),
    fromSecond,
    inFlight,
    kind: poolOf(facts.plan.servers?.pool, facts.server.software),
    pool:
      held === null
        ? null
        : { monitor: held.monitor.name, stood: held.idleInTransaction, ...poolSizeOf(facts.plan, [{ held, isPartial }]) },
  };
}

/** Whether a server that did so well at a smaller load would have answered meanwhile. */
export function isStandstill(
  { seconds }: RunFreeze,
  calm: { readonly okPerSecond: number | null; readonly p95Ms: number | null },
): boolean {
  return seconds * (calm.okPerSecond ?? 0) >= MIN_MISSED && calm.p95Ms !== null && 1_000 * seconds >= TIMES_USUAL * calm.p95Ms;
}

/** The pool that was used up in these freezes, and how it showed, each as the end of a sentence; null where no monitor of a database tells. */
export function usedUpPool(freezes: readonly RunFreeze[]): { readonly short: string; readonly showed: string } | null {
  const pools = freezes.flatMap(({ pool }) => pool ?? []);
  const [first] = pools;
  if (first === undefined) return null;
  const each = sizeOfEach(
    pools.map(({ stood, each: size }) => ({ stood, isOfOne: size === stood })),
    first.servers,
  );
  const ofEach = pools.filter((pool) => pool.each === each);
  const size = poolSizeWords({ each, servers: first.servers, kept: ofEach.find(({ kept }) => kept !== null)?.kept ?? null });
  const least = Math.min(...ofEach.map(({ stood: count }) => count));
  return {
    short: `, where the pool of database connections, ${size}, is exhausted`,
    showed: `while ${formatCount(least)} connections of ${first.monitor} were idle in a transaction. That is its whole pool, ${size}: ${poolSettingWords(freezes[0]?.kind ?? null)}.`,
  };
}

/** What a server most probably waited for that no monitor of a database watched; `room`: how large that is at most, behind a comma. */
export function probableWait({ seconds, kind }: Pick<RunFreeze, 'seconds' | 'kind'>, room = ''): string {
  const usual = isUsualWait(seconds) ? ` ${usualWaitWords(seconds)}` : '';
  return `The server was waiting, not working, most often for a free connection of its database pool${room}.${usual} ${capitalized(poolSettingWords(kind))}. A PostgreSQL monitor (“monitors” in the plan, “database” in the wizard) shows whether that is the cause.`;
}
