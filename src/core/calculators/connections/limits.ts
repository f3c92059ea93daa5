const GIBIBYTE = 2 ** 30;

/** Amazon RDS gives MySQL one connection for each so many bytes of memory, by its parameter group's default. */
const MYSQL_BYTES_PER_CONNECTION = 12_582_880;
/** And PostgreSQL one for each so many, but never more than the cap. */
const POSTGRESQL_BYTES_PER_CONNECTION = 9_531_392;
const POSTGRESQL_CAP = 5_000;

export interface ConnectionLimits {
  readonly mysql: number;
  readonly postgresql: number;
}

/** `max_connections` of Amazon RDS for a database with that much memory: MySQL memory / 12,582,880, PostgreSQL LEAST(memory / 9,531,392, 5000). */
export function connectionLimits(gibibytes: number): ConnectionLimits {
  const bytes = gibibytes * GIBIBYTE;
  return {
    mysql: Math.floor(bytes / MYSQL_BYTES_PER_CONNECTION),
    postgresql: Math.min(Math.floor(bytes / POSTGRESQL_BYTES_PER_CONNECTION), POSTGRESQL_CAP),
  };
}

/** The memory in GiB from which a limit that was seen would follow; for PostgreSQL null at the cap, where any larger memory does. */
export function memoryForLimit(limit: number): { readonly mysql: number; readonly postgresql: number | null } {
  return {
    mysql: (limit * MYSQL_BYTES_PER_CONNECTION) / GIBIBYTE,
    postgresql: limit >= POSTGRESQL_CAP ? null : (limit * POSTGRESQL_BYTES_PER_CONNECTION) / GIBIBYTE,
  };
}

/** Connections that processes open at most: each has its pool, and what it may open beyond it. */
export function connectionsNeeded(processes: number, pool: number, overflow: number): number {
  return processes * (pool + overflow);
}
