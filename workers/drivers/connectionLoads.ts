import { stepsPerJourney } from '#core/work/journey/flow/takings.ts';
import type { Script } from '../journey/script.ts';
import { stepsOf } from '../journey/stepsOf.ts';
import type { WorkerData } from '../messages.ts';
import { type Pool, poolsOf } from '../pools.ts';
import { serverNamesOf } from './addresses.ts';
import type { DriverHooks } from './loadDriver.ts';
import type { StageLoadOptions } from './stageLoad.ts';

/** The part of a stage with fixed connections that one thread runs on one target. */
export interface ConnectionLoad {
  readonly targetUrl: string;
  readonly pool: Pool;
  /** Script of journeys that vary; null if all journeys send the same requests. */
  readonly script: Script | null;
  readonly options: StageLoadOptions;
}

/**
 * Returns one load for each target to which the thread has connections.
 * @throws {HoldfastError} if a request of the plan cannot be built.
 */
export function connectionLoads(data: WorkerData, [index = 0]: readonly number[], hooks: DriverHooks): ConnectionLoad[] {
  const { plan, thread, threads } = data;
  const stage = plan.load.model === 'connections' ? plan.load.stages[index] : undefined;
  const [recorder] = hooks.open([index]);
  if (stage === undefined || recorder === undefined) throw new RangeError(`The plan has no stage ${index} of connections.`);
  const pools = poolsOf({
    connections: stage.connections,
    requests: stage.requests ?? null,
    steps: stepsPerJourney(plan, index),
    targets: data.targets.length,
    thread,
    threads,
  });
  return pools.map((pool) => {
    const { script, ...steps } = stepsOf(data, pool.target, index);
    const options: StageLoadOptions = {
      ...steps,
      recorder,
      now: hooks.now,
      journeys: pool.journeys,
      cutRequests: pool.cutRequests,
      sampler: hooks.sampler,
      servers: serverNamesOf(plan, pool.target),
      countsCache: plan.countsCache,
      budget: data.budget,
      pace: hooks.pace,
      reports: hooks.reports,
      onBudgetSpent: () => hooks.onBudgetSpent(),
      onServer: (software, atUs) => hooks.onServer(software, atUs),
    };
    return { targetUrl: data.targets[pool.target]?.url ?? '', pool, script, options };
  });
}
