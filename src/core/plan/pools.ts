import { z } from 'zod';

/** Known database connection pools. */
export const POOLS = ['sqlalchemy', 'django', 'hikaricp', 'tomcat', 'tomcatJdbc', 'pgbouncer'] as const;
export const poolSchema = z.enum(POOLS);
export type Pool = (typeof POOLS)[number];

/** Settings for pool size and wait time, with their defaults. */
export const POOL_SETTINGS: Readonly<Record<Pool, { readonly name: string; readonly size: string; readonly wait: string }>> = {
  sqlalchemy: { name: 'SQLAlchemy', size: 'pool_size + max_overflow (default 5 + 10)', wait: 'pool_timeout (default 30 s)' },
  django: {
    name: 'Django',
    size: 'workers × threads of its server (gunicorn --workers, --threads), each with its own connection; with a pool, max_size of OPTIONS["pool"]',
    wait: 'timeout of OPTIONS["pool"] (default 30 s)',
  },
  hikaricp: { name: 'HikariCP', size: 'maximumPoolSize (default 10)', wait: 'connectionTimeout (default 30 s)' },
  tomcat: { name: 'Tomcat DBCP', size: 'maxTotal (default 8; maxActive in older versions)', wait: 'maxWaitMillis (default unlimited)' },
  tomcatJdbc: { name: 'Tomcat JDBC pool', size: 'maxActive (default 100)', wait: 'maxWait (default 30 s)' },
  pgbouncer: { name: 'PgBouncer', size: 'default_pool_size (default 20)', wait: 'query_wait_timeout (default 120 s)' },
};

/** Server software, as the Server header names it, with its most common connection pool. */
const POOL_BY_SOFTWARE: readonly (readonly [RegExp, Pool])[] = [
  [/tornado|werkzeug|uvicorn/i, 'sqlalchemy'],
  [/gunicorn|wsgiserver/i, 'django'],
  [/apache-coyote|tomcat/i, 'tomcat'],
];

/** Returns the pool of the plan, or else the usual pool of the server software; null if unknown. */
export function findPool(named: Pool | undefined, software: string | null): Pool | null {
  return named ?? POOL_BY_SOFTWARE.find(([pattern]) => pattern.test(software ?? ''))?.[1] ?? null;
}
