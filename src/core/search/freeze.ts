import { capitalize } from '#core/base/text.ts';
import { z } from 'zod';
import {
  findFreezes,
  findPoolSize,
  isUsualWait,
  MIN_MISSED,
  formatPoolSetting,
  formatPoolSize,
  sizeOfEach,
  formatUsualWait,
} from '#core/judgement/diagnosis/freezes.ts';
import type { MeasuredRun } from '#core/judgement/diagnosis/rule.ts';
import { findPool, poolSchema } from '#core/plan/pools.ts';
import { formatCount } from '#core/base/units.ts';

/** Minimum ratio of a time without responses to the p95 of a passed level at which the time is a freeze. */
const MIN_P95_MULTIPLE = 3;

/** A freeze of the server in a run: its duration, the requests in flight, and the database connections during it. */
export const runFreezeSchema = z.strictObject({
  seconds: z.number(),
  /** Second of the run at which the freeze began; null in results of earlier versions. */
  fromSecond: z.number().nullable().default(null),
  inFlight: z.int(),
  /** The probable connection pool; null if unknown. */
  kind: poolSchema.nullable(),
  /** The exhausted pool, if a database monitor shows it. */
  pool: z
    .strictObject({ monitor: z.string(), stood: z.number(), each: z.number(), servers: z.int(), kept: z.number().nullable() })
    .nullable(),
});
export type RunFreeze = z.infer<typeof runFreezeSchema>;

/** Returns the longest time of a run without responses. Whether that is unusual depends on a passed load: see {@link isStandstill}. */
export function findFreeze(facts: MeasuredRun): RunFreeze | null {
  const durationOf = ({ fromSecond, toSecond }: { fromSecond: number; toSecond: number }): number => toSecond - fromSecond;
  const [longest] = findFreezes(facts, Infinity).toSorted((one, other) => durationOf(other) - durationOf(one));
  if (longest === undefined) return null;
  const { fromSecond, heldConnections: held, isPartial, inFlight } = longest;
  return {
    seconds: durationOf(longest),
    fromSecond,
    inFlight,
    kind: findPool(facts.plan.servers?.pool, facts.server.software),
    pool:
      held === null
        ? null
        : {
            monitor: held.monitor.name,
            stood: held.idleInTransaction,
            ...findPoolSize(facts.plan, [{ heldConnections: held, isPartial }]),
          },
  };
}

/** Returns whether a server with these figures at a smaller load would have responded during the freeze. */
export function isStandstill(
  { seconds }: RunFreeze,
  calm: { readonly okPerSecond: number | null; readonly p95Ms: number | null },
): boolean {
  return seconds * (calm.okPerSecond ?? 0) >= MIN_MISSED && calm.p95Ms !== null && 1_000 * seconds >= MIN_P95_MULTIPLE * calm.p95Ms;
}

/** Describes the exhausted pool and its evidence, each as the end of a sentence; null if there is no database monitor. */
export function describeUsedUpPool(freezes: readonly RunFreeze[]): { readonly short: string; readonly showed: string } | null {
  const pools = freezes.flatMap(({ pool }) => pool ?? []);
  const [first] = pools;
  if (first === undefined) return null;
  const each = sizeOfEach(
    pools.map(({ stood, each: size }) => ({ stood, isOfOne: size === stood })),
    first.servers,
  );
  const ofEach = pools.filter((pool) => pool.each === each);
  const size = formatPoolSize({ each, servers: first.servers, kept: ofEach.find(({ kept }) => kept !== null)?.kept ?? null });
  const smallest = Math.min(...ofEach.map(({ stood: count }) => count));
  return {
    short: `, where the pool of database connections, ${size}, is exhausted`,
    showed: `while ${formatCount(smallest)} connections of ${first.monitor} were idle in a transaction. That is its whole pool, ${size}: ${formatPoolSetting(freezes[0]?.kind ?? null)}.`,
  };
}

/** Describes the probable wait if no database was monitored. `room`: the maximum size of the pool, after a comma. */
export function probableWait({ seconds, kind }: Pick<RunFreeze, 'seconds' | 'kind'>, room = ''): string {
  const usual = isUsualWait(seconds) ? ` ${formatUsualWait(seconds)}` : '';
  return `The server was waiting, not working, most often for a free connection of its database pool${room}.${usual} ${capitalize(formatPoolSetting(kind))}. A PostgreSQL monitor (“monitors” in the plan, “database” in the wizard) shows whether that is the cause.`;
}
