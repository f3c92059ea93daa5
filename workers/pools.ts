import { share } from '#core/work/load/part.ts';

/** The part of a stage that one thread drives against one target. */
export interface Pool {
  readonly target: number;
  readonly connections: number;
  /** Number of its first connection within the stage. Connections of one target are T numbers apart, with T targets. */
  readonly firstConnection: number;
  /** Journeys that this pool's connections share; null in a stage of fixed duration. */
  readonly journeys: number | null;
  /** Requests missing from the pool's last journey, which makes the stage send exactly the planned number. */
  readonly cutRequests: number;
}

export interface Division {
  readonly connections: number;
  /** Requests of the whole stage; null for a fixed duration. */
  readonly requests: number | null;
  readonly steps: number;
  readonly targets: number;
  readonly thread: number;
  readonly threads: number;
}

/**
 * Returns the pools of one thread. They depend only on the plan, so k threads together do exactly what one thread would do: connection i belongs to target i
 * mod T, threads take neighbouring connections, and journeys are divided among connections and then pooled per thread and target. A slow response on one
 * connection therefore does not delay its share of journeys.
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
    // Connection 0 always has a journey, so its pool has the shortened journey.
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
