import { availableParallelism } from 'node:os';
import type { Plan } from '#core/plan/schema.ts';

/** Worker threads for a plan: its own wish, else all cores but one; never more than it has connections. */
export function threadCount(plan: Plan, cores: number = availableParallelism()): number {
  const connections = Math.max(...plan.load.stages.map((stage) => stage.connections));
  return Math.min(connections, plan.threads ?? Math.max(1, cores - 1));
}
