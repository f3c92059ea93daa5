import type { Objective } from '#core/plan/schema/plan.ts';
import type { ObjectiveResult } from '#core/result/schema.ts';
import { shareBounds } from '#core/statistics/bounds.ts';
import { leastRequests } from '#core/statistics/leastRequests.ts';

/** Nobody is asked to wait longer than this many times the first run. */
export const LONGER_AT_MOST = 20;

/** How many times as many requests would probably decide every objective that had too few or was too close: 2 to 20. */
export function longerFactor(unknown: readonly ObjectiveResult[]): number {
  const factors = unknown.filter(({ unknownBecause }) => unknownBecause === 'tooFew' || unknownBecause === 'tooClose').map(factorFor);
  return Math.min(LONGER_AT_MOST, Math.max(2, ...factors));
}

/** How many times as many requests every objective that had too few of them needs at the least, if nothing is over its limit; 1 where all had enough. */
export function leastFactor(unknown: readonly ObjectiveResult[]): number {
  const factors = unknown.map(({ objective, counted }) => {
    const allowance = allowanceOf(objective);
    return allowance === null || counted === null || counted === 0 ? 1 : Math.ceil(leastRequests(allowance) / counted);
  });
  return Math.max(1, ...factors);
}

/** Assumes that the share over the limit stays what it was, and that clumps stay as large. */
function factorFor({ objective, counted, over, shareHigh, shareLow }: ObjectiveResult): number {
  const allowance = allowanceOf(objective);
  if (allowance === null || counted === null || counted === 0 || over === null) return 2;
  const needed = leastRequests(allowance) / counted;
  for (let factor = 2; factor < LONGER_AT_MOST; factor += 1) {
    if (factor < needed) continue;
    const { low, high } = shareBounds(over * factor, counted * factor);
    const clumped = clumping(over, counted, shareLow, shareHigh);
    const share = over / counted;
    if (share + (high - share) * clumped <= allowance || share - (share - low) * clumped > allowance) return factor;
  }
  return LONGER_AT_MOST;
}

/** How much wider the bounds were than those of independent requests: the root of the design effect. */
function clumping(over: number, counted: number, shareLow: number | null, shareHigh: number | null): number {
  if (shareLow === null || shareHigh === null) return 1;
  const { low, high } = shareBounds(over, counted);
  return Math.max(1, (shareHigh - shareLow) / Math.max(high - low, Number.MIN_VALUE));
}

function allowanceOf(objective: Objective): number | null {
  switch (objective.kind) {
    case 'responseTime':
      return (100 - objective.percentile) / 100;
    case 'errors':
      return objective.maxShare;
    case 'throughput':
    case 'apdex':
      return null;
    default:
      return objective satisfies never;
  }
}
