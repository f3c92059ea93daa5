import { POOL_SETTINGS, POOLS, type Pool } from '#core/plan/pools.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { formatCount } from '#core/base/units.ts';
import type { Freeze, Held } from './freezes.ts';

/** So many times as many in use may be those of other programs. */
const OTHERS = 1.3;

export interface PoolSize {
  /** Of one server. */
  readonly each: number;
  readonly servers: number;
  /** Of those, how many stay open while nobody needs them; null where it was not seen. */
  readonly kept: number | null;
}

/** Connections that stood idle in their transactions, and whether all of them are known to be of one server. */
export interface Stood {
  readonly stood: number;
  readonly isOfOne: boolean;
}

/**
 * How large the pool is that was used up in these freezes. One of several servers freezes by itself, which may hold all that is asked then, or several at the same time: then what stands
 * still is as many times as large.
 */
export function poolSizeOf(
  { servers: named, targets }: Plan,
  held: readonly (Pick<Freeze, 'isPartial'> & { readonly held: Held })[],
): PoolSize {
  const servers = named?.expected ?? targets.length;
  const frozen = held.map((one) => {
    const { idleInTransaction: stood, mostUsed, idle, idleAfter } = one.held;
    // No more than all the pools can be in use, so where more was, not all of them were used up.
    const isOfOne = servers === 1 || one.isPartial || stood % servers !== 0 || mostUsed > OTHERS * stood;
    return { stood, isOfOne, left: idleAfter === null ? null : idleAfter - idle };
  });
  const each = sizeOfEach(frozen, servers);
  const left = frozen.flatMap((one) => (one.left === null ? [] : [(one.left * each) / one.stood]));
  return { each, servers, kept: left.find((count) => Number.isInteger(count) && count > 0 && count <= each) ?? null };
}

/** The pool of one server by all freezes together: what one of them held, or else a share of the most that all of them did. */
export function sizeOfEach(frozen: readonly Stood[], servers: number): number {
  const ofOne = frozen.filter(({ isOfOne }) => isOfOne).map(({ stood }) => stood);
  return ofOne.length > 0 ? Math.min(...ofOne) : Math.max(...frozen.map(({ stood }) => stood / servers));
}

/** “15 (5 + 10) for each of 2 servers”. */
export function poolSizeWords({ each, servers, kept }: PoolSize): string {
  const size =
    kept === null || kept === each ? formatCount(each) : `${formatCount(each)} (${formatCount(kept)} + ${formatCount(each - kept)})`;
  return servers > 1 ? `${size} for each of ${formatCount(servers)} servers` : size;
}

/** By which settings the size of a pool and its wait are set; null: of every pool that is known. */
export function poolSettingWords(pool: Pool | null): string {
  const of = (one: Pool): string => `${POOL_SETTINGS[one].name}: ${POOL_SETTINGS[one].size}`;
  if (pool !== null)
    return `${POOL_SETTINGS[pool].name} sets its size by ${POOL_SETTINGS[pool].size}, and how long a freeze lasts by ${POOL_SETTINGS[pool].wait}`;
  return `its size and its longest wait are settings of the program (${POOLS.map(of).join('; ')})`;
}
