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

/**
 * How large the pool is that was used up in these freezes. One of several servers freezes by itself, which may hold all that is asked then, or several at the same time: then what stands
 * still is as many times as large.
 */
export function poolSizeOf(
  { servers: named, targets }: Plan,
  held: readonly (Pick<Freeze, 'isPartial'> & { readonly held: Held })[],
): PoolSize {
  const servers = named?.expected ?? targets.length;
  const sizes = held.map((one) => {
    // No more than all the pools can be in use, so where more was, not all of them were used up.
    const isOne = one.isPartial || one.held.idleInTransaction % servers !== 0 || one.held.mostUsed > OTHERS * one.held.idleInTransaction;
    const frozen = isOne ? 1 : servers;
    const kept = one.held.idleAfter === null ? null : (one.held.idleAfter - one.held.idle) / frozen;
    return { each: one.held.idleInTransaction / frozen, kept };
  });
  const each = Math.min(...sizes.map((size) => size.each));
  const kept = sizes.find((size) => size.each === each && size.kept !== null)?.kept ?? null;
  return { each, servers, kept: kept !== null && Number.isInteger(kept) && kept > 0 && kept <= each ? kept : null };
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
  if (pool !== null) return `it is set by ${of(pool)}; how long a freeze lasts by ${POOL_SETTINGS[pool].wait}`;
  return `its size and the time it lets wait are settings of the program (${POOLS.map(of).join('; ')})`;
}
