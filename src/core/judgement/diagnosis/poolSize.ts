import { POOL_SETTINGS, POOLS, type Pool } from '#core/plan/pools.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { formatCount } from '#core/base/units.ts';
import type { Freeze, Held } from './freezes.ts';

/** Ratio of used to held connections from which other programs may use some. */
const OTHER_PROGRAMS_RATIO = 1.3;

export interface PoolSize {
  /** Size of one server's pool. */
  readonly each: number;
  readonly servers: number;
  /** Connections that each pool keeps open while idle; null if not observed. */
  readonly kept: number | null;
}

/** Connections idle in transactions, and whether all certainly belong to one server. */
export interface Stood {
  readonly stood: number;
  readonly isOfOne: boolean;
}

/**
 * Estimates the size of the pool that was exhausted in these freezes. If one of several servers froze, the held connections are one pool. If several froze
 * at once, they are a multiple of it.
 */
export function getPoolSize(
  { servers: named, targets }: Plan,
  held: readonly (Pick<Freeze, 'isPartial'> & { readonly held: Held })[],
): PoolSize {
  const servers = named?.expected ?? targets.length;
  const frozen = held.map((one) => {
    const { idleInTransaction: stood, mostUsed, idle, idleAfter } = one.held;
    // Used connections cannot exceed the sum of all pools. If more were used at another time, not all pools were exhausted.
    const isOfOne = servers === 1 || one.isPartial || stood % servers !== 0 || mostUsed > OTHER_PROGRAMS_RATIO * stood;
    return { stood, isOfOne, left: idleAfter === null ? null : idleAfter - idle };
  });
  const each = sizeOfEach(frozen, servers);
  const left = frozen.flatMap((one) => (one.left === null ? [] : [(one.left * each) / one.stood]));
  return { each, servers, kept: left.find((count) => Number.isInteger(count) && count > 0 && count <= each) ?? null };
}

/** Estimates one server's pool from all freezes: the smallest number held by a single server, or a share of the maximum. */
export function sizeOfEach(frozen: readonly Stood[], servers: number): number {
  const ofOne = frozen.filter(({ isOfOne }) => isOfOne).map(({ stood }) => stood);
  return ofOne.length > 0 ? Math.min(...ofOne) : Math.max(...frozen.map(({ stood }) => stood / servers));
}

/** Example: “15 (5 + 10) for each of 2 servers”. */
export function poolSizeWords({ each, servers, kept }: PoolSize): string {
  const size =
    kept === null || kept === each ? formatCount(each) : `${formatCount(each)} (${formatCount(kept)} + ${formatCount(each - kept)})`;
  return servers > 1 ? `${size} for each of ${formatCount(servers)} servers` : size;
}

/** Names the settings for the size of a pool and its wait; null: of every known pool. */
export function poolSettingWords(pool: Pool | null): string {
  const of = (one: Pool): string => `${POOL_SETTINGS[one].name}: ${POOL_SETTINGS[one].size}`;
  if (pool !== null)
    return `${POOL_SETTINGS[pool].name} sets its size by ${POOL_SETTINGS[pool].size}, and how long a freeze lasts by ${POOL_SETTINGS[pool].wait}`;
  return `its size and its longest wait are settings of the program (${POOLS.map(of).join('; ')})`;
}
