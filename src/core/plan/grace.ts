import type { Plan } from './schema/plan.ts';

const GRACE_SECONDS = 30;

/** How long a load on a host goes on when the connection to it was lost, and how long that is tried to be made again. */
export function graceSecondsOf({ graceSeconds = GRACE_SECONDS }: Pick<Plan, 'graceSeconds'>): number {
  return graceSeconds;
}
