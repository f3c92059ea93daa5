import { behindStealGate } from '#engine/stealGate.ts';
import { immediate } from '../behaviours/immediate.ts';
import type { CheckParts } from '../checks/runCheck.ts';
import { percentileOf } from '../checks/times.ts';
import { measure, selfTestPlan, type Measured } from '../measure.ts';
import { searchHighest } from './searchHighest.ts';

/** Far more than answers that come at once keep open, and few enough that a rate beyond the limit ends soon. */
const MAX_IN_FLIGHT = 2_000;
const FIRST_GUESS = 2_000;
const SECONDS = 2;
const QUICK_SECONDS = 1;

/**
 * The highest rate of arrivals that was offered in full, each at most `lagLimitMs` after its instant for 99 of 100. The search
 * begins at half of what connections that stay busy reach, where that is known. A rate that failed while the hypervisor took
 * processor time away is tried again.
 */
export async function maxArrivalsPerSecond(
  parts: CheckParts,
  lagLimitMs: number,
  requestsPerSecond: number | null,
): Promise<number | null> {
  const holds = async (perSecond: number): Promise<boolean> => {
    const attempt = await behindStealGate(
      () => offer(perSecond, parts),
      (measured) => !isOnTime(measured, perSecond * secondsOf(parts), lagLimitMs),
    );
    return isOnTime(attempt.result, perSecond * secondsOf(parts), lagLimitMs);
  };
  const start = requestsPerSecond === null ? FIRST_GUESS : requestsPerSecond / 4;
  return searchHighest(holds, { start, lowest: 50, highest: 200_000, precision: parts.quick ? 1.3 : 1.1, maxProbes: parts.quick ? 6 : 10 });
}

function secondsOf({ quick }: CheckParts): number {
  return quick ? QUICK_SECONDS : SECONDS;
}

async function offer(perSecond: number, parts: CheckParts): Promise<Measured> {
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

/** Every arrival became a request that was answered, and 99 of 100 were sent on time. */
function isOnTime({ cell, end }: Measured, planned: number, lagLimitMs: number): boolean {
  const lagUs = cell.times.scheduleLag ? percentileOf(cell.times.scheduleLag, 99) : null;
  return end.reason === 'completed' && (cell.outcomes.ok ?? 0) >= planned && lagUs !== null && lagUs < lagLimitMs * 1_000;
}
