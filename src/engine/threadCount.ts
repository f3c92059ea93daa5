import { availableParallelism } from 'node:os';
import { levelOf } from '#core/work/load/stages.ts';
import type { Plan } from '#core/plan/schema/plan.ts';

const MOST_THREADS = 64;

/** Worker threads for a plan: its own wish, else all cores but one; never more than it has connections or users. */
export function threadCount(plan: Plan, cores: number = availableParallelism()): number {
  return Math.min(mostThreads(plan), plan.threads ?? Math.max(1, cores - 1));
}

/** As many threads as can have something to do. */
export function mostThreads(plan: Plan): number {
  return Math.max(
    ...plan.load.stages.map((stage) => levelOf(stage)).map(({ unit, highest }) => (unit === 'arrivalsPerSecond' ? MOST_THREADS : highest)),
  );
}
