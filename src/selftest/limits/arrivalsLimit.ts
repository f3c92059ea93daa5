import { withStealGate } from '#engine/procFiles.ts';
import { immediate } from '../behaviours/registry.ts';
import type { CheckParts } from '../checks/runCheck.ts';
import { percentileOf } from '../checks/facts.ts';
import { measure, type MeasuredLoad, selfTestPlan } from '../measure.ts';

export interface SearchOptions {
  /** Value at which the search starts. The result may be above or below it. */
  readonly start: number;
  readonly lowest: number;
  readonly highest: number;
  /** The result is precise enough if the lowest value that failed is at most this factor above the result. */
  readonly precision: number;
  readonly maxProbes: number;
}

const FIRST_STRIDE = 2;

/**
 * Returns the highest value for which `isReached` is true, or null. The steps grow, each factor being the square of the previous one, until
 * the result is bracketed. Then the geometric mean of the bracket is tried until the bracket's ratio is at most `precision`. Assumes that
 * `isReached` is monotonic.
 */
export async function searchHighest(isReached: (value: number) => Promise<boolean>, options: SearchOptions): Promise<number | null> {
  const { start, lowest, highest, precision, maxProbes } = options;
  let good: number | null = null;
  let bad: number | null = null;
  let value = clamp(start, lowest, highest);
  let stride = FIRST_STRIDE;
  for (let probe = 0; probe < maxProbes; probe += 1) {
    if (await isReached(value)) good = value;
    else bad = value;
    if (good !== null && (good >= highest || (bad !== null && bad / good <= precision))) break;
    if (good === null && value <= lowest) break;
    if (good !== null && bad !== null) value = Math.round(Math.sqrt(good * bad));
    else {
      value = clamp(good === null ? value / stride : value * stride, lowest, highest);
      stride **= 2;
    }
  }
  return good;
}

function clamp(value: number, lowest: number, highest: number): number {
  return Math.min(highest, Math.max(lowest, Math.round(value)));
}

/** Maximum number of requests in flight. Fast responses keep far fewer in flight, and a rate beyond the limit reaches this number soon. */
const MAX_IN_FLIGHT = 2_000;
const FIRST_GUESS = 2_000;
const RUN_SECONDS = 2;
const QUICK_SECONDS = 1;

/**
 * Returns the highest arrival rate at which all requests succeeded and 99 % of arrivals were less than `lagLimitMs` late. The search begins
 * at a quarter of `requestsPerSecond` if that is known. A rate that failed while the hypervisor stole processor time is tried again.
 */
export async function maxArrivalsPerSecond(
  parts: CheckParts,
  lagLimitMs: number,
  requestsPerSecond: number | null,
): Promise<number | null> {
  const isReached = async (perSecond: number): Promise<boolean> => {
    const attempt = await withStealGate(
      () => offer(perSecond, parts),
      (measured) => !isOnTime(measured, perSecond * secondsOf(parts), lagLimitMs),
    );
    return isOnTime(attempt.result, perSecond * secondsOf(parts), lagLimitMs);
  };
  const start = requestsPerSecond === null ? FIRST_GUESS : requestsPerSecond / 4;
  return searchHighest(isReached, {
    start,
    lowest: 50,
    highest: 200_000,
    precision: parts.quick ? 1.3 : 1.1,
    maxProbes: parts.quick ? 6 : 10,
  });
}

function secondsOf({ quick }: CheckParts): number {
  return quick ? QUICK_SECONDS : RUN_SECONDS;
}

async function offer(perSecond: number, parts: CheckParts): Promise<MeasuredLoad> {
  const open = await parts.server.open(immediate.id);
  const stages = [{ kind: 'constant' as const, perSecond, seconds: secondsOf(parts) }];
  const plan = selfTestPlan(open.url, {
    engine: 'native',
    timeoutSeconds: 10,
    load: { model: 'arrivals', spacing: 'uniform', maxInFlight: MAX_IN_FLIGHT, stages },
  });
  const measured = await measure(plan, parts);
  await open.close();
  return measured;
}

/** Returns whether every arrival became a successful request and 99 % of arrivals were on time. */
function isOnTime({ cell, end }: MeasuredLoad, planned: number, lagLimitMs: number): boolean {
  const lagUs = cell.times.scheduleLag ? percentileOf(cell.times.scheduleLag, 99) : null;
  return end.reason === 'completed' && (cell.outcomes.ok ?? 0) >= planned && lagUs !== null && lagUs < lagLimitMs * 1_000;
}
