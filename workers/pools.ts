import { share } from '#core/work/load/part.ts';

/** The part of a stage that one thread drives against one target. */
export interface Pool {
  readonly target: number;
  readonly connections: number;
  /** Number of its first connection in the whole stage; those of one target lie as far apart as there are targets. */
  readonly firstConnection: number;
  /** Journeys that this pool's connections share; null when the stage goes by time. */
  readonly journeys: number | null;
  /** Requests that the last journey of the pool is cut short by, so that the stage sends exactly the planned number. */
  readonly cutRequests: number;
}

export interface Division {
  readonly connections: number;
  /** Requests of the whole stage; null when it goes by time. */
  readonly requests: number | null;
  readonly steps: number;
  readonly targets: number;
  readonly thread: number;
  readonly threads: number;
}

/**
 * What `thread` of `threads` drives. It follows from the plan by arithmetic alone, so k threads together do exactly what one
 * does: connection i belongs to target i mod T; threads take neighbouring connections; journeys are shared among connections
 * and then pooled per thread and target, so that a connection held up by a slow answer does not hold up its share.
 */
export function poolsOf(division: Division): Pool[] {
  const { connections, requests, steps, targets, thread, threads } = division;
  const journeys = requests === null ? null : Math.ceil(requests / steps);
  const first = firstConnection(connections, thread, threads);
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
    // Connection 0 always has a journey: its pool takes the cut.
    const cut = journeys !== null && requests !== null && thread === 0 && target === 0 ? journeys * steps - requests : 0;
    const { firstConnection } = pool;
    return [
      { target, connections: pool.connections, firstConnection, journeys: journeys === null ? null : pool.journeys, cutRequests: cut },
    ];
  });
}

function firstConnection(connections: number, thread: number, threads: number): number {
  let first = 0;
  for (let before = 0; before < thread; before += 1) first += share(connections, before, threads);
  return first;
}
