import type { Plan } from '#core/plan/schema/plan.ts';
import type { CheckParts } from '../checks/runCheck.ts';
import { closing } from '../behaviours/closing.ts';
import { immediate } from '../behaviours/immediate.ts';
import { measure, selfTestPlan } from '../measure.ts';

const SECONDS = 3;
const QUICK_SECONDS = 1;
const CONNECTIONS = 50;
/** Each of them waits for a connection most of the time; more would only queue in front of the server. */
const CONNECTIONS_OPENING = 20;

/** Requests per second with connections that stay open, each asking again as soon as it is answered. */
export async function maxRequestsPerSecond(parts: CheckParts): Promise<number | null> {
  return ratePerSecond(parts, immediate.id, CONNECTIONS, 'always');
}

/** New connections per second: one for each request. The server closes first, so that it and not the engine keeps the ports waiting. */
export async function maxConnectionsPerSecond(parts: CheckParts): Promise<number | null> {
  return ratePerSecond(parts, closing.id, CONNECTIONS_OPENING, 'never');
}

async function ratePerSecond(
  parts: CheckParts,
  behaviour: string,
  connections: number,
  reuse: Plan['connections']['reuse'],
): Promise<number | null> {
  const open = await parts.server.open(behaviour);
  const stages = [{ connections, seconds: parts.quick ? QUICK_SECONDS : SECONDS }];
  const plan = selfTestPlan(open.url, { engine: 'native', connections: { reuse }, load: { model: 'connections', stages } });
  const { cell, loadSeconds } = await measure(plan, parts);
  await open.close();
  const count = reuse === 'never' ? cell.connectionsOpened : (cell.outcomes.ok ?? 0);
  return loadSeconds > 0 && count > 0 ? count / loadSeconds : null;
}
