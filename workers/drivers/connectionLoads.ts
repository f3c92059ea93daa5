import { stepsPerJourney } from '#core/work/journey/flow/executions.ts';
import { share } from '#core/work/load/part.ts';
import type { Script } from '../journey/script.ts';
import { stepsOf } from '../journey/stepsOf.ts';
import type { WorkerData } from '../messages.ts';
import { findServerNames } from './addresses.ts';
import type { DriverHooks } from './loadDriver.ts';
import type { StageLoadOptions } from './stageLoad.ts';

/** The part of a stage with fixed connections that one thread runs on one target. */
export interface ConnectionLoad {
  readonly targetUrl: string;
  readonly pool: Pool;
  /** Script of journeys that differ; null if all journeys send the same requests. */
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
  const pools = listPools({
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
      servers: findServerNames(plan, pool.target),
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

/** The part of a stage that one thread sends to one target. */
export interface Pool {
  readonly target: number;
  readonly connections: number;
  /** Number of the pool's first connection within the stage. With T targets, the connections of one target are T numbers apart. */
  readonly firstConnection: number;
  /** Number of journeys that the connections of this pool share; null if the stage has a fixed duration. */
  readonly journeys: number | null;
  /** Number of requests by which the last journey of the pool is shortened, so that the stage sends exactly the planned number. */
  readonly cutRequests: number;
}

export interface Division {
  readonly connections: number;
  /** Number of requests of the whole stage; null if it has a fixed duration. */
  readonly requests: number | null;
  readonly steps: number;
  readonly targets: number;
  readonly thread: number;
  readonly threads: number;
}

/**
 * Returns the pools of one thread. They depend only on the plan, so k threads together do exactly what one thread would do. Connection i
 * belongs to target i mod T, and threads have neighbouring connections. Journeys are divided among connections and then pooled per thread
 * and target, so a slow response on one connection does not delay its share of journeys.
 */
export function listPools(division: Division): Pool[] {
  const { connections, requests, steps, targets, thread, threads } = division;
  const journeys = requests === null ? null : Math.ceil(requests / steps);
  const first = findFirstConnection(connections, thread, threads);
  const end = first + share(connections, thread, threads);
  const pools = Array.from({ length: targets }, () => ({ connections: 0, journeys: 0, firstConnection: 0 }));
  for (let connection = first; connection < end; connection += 1) {
    const pool = pools[connection % targets];
    const journeysOfConnection = journeys === null ? 1 : share(journeys, connection, connections);
    if (pool === undefined || journeysOfConnection === 0) continue;
    if (pool.connections === 0) pool.firstConnection = connection;
    pool.connections += 1;
    pool.journeys += journeysOfConnection;
  }
  return pools.flatMap((pool, target) => {
    if (pool.connections === 0) return [];
    // Connection 0 always has a journey. Its pool therefore runs the shortened journey.
    const cut = journeys !== null && requests !== null && thread === 0 && target === 0 ? journeys * steps - requests : 0;
    const { firstConnection } = pool;
    return [
      { target, connections: pool.connections, firstConnection, journeys: journeys === null ? null : pool.journeys, cutRequests: cut },
    ];
  });
}

function findFirstConnection(connections: number, thread: number, threads: number): number {
  let first = 0;
  for (let before = 0; before < thread; before += 1) first += share(connections, before, threads);
  return first;
}
