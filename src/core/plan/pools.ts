import { z } from 'zod';

/** What keeps a program's connections to its database, as far as it is known by name. */
export const POOLS = ['sqlalchemy', 'django', 'hikaricp', 'tomcat', 'tomcatJdbc', 'pgbouncer'] as const;
export const poolSchema = z.enum(POOLS);
export type Pool = (typeof POOLS)[number];

/** How large each is and how long it lets wait: the settings, with what they are when nobody sets them. */
export const POOL_SETTINGS: Readonly<Record<Pool, { readonly name: string; readonly size: string; readonly wait: string }>> = {
  sqlalchemy: {
    name: 'SQLAlchemy',
    size: 'pool_size + max_overflow (5 + 10 when left out)',
    wait: 'pool_timeout (30 s when left out)',
  },
  django: {
    name: 'Django',
    size: 'the workers × threads of its server (gunicorn --workers, --threads), each of which has a connection of its own; with a pool max_size of OPTIONS["pool"]',
    wait: 'timeout of OPTIONS["pool"] (30 s when left out)',
  },
  hikaricp: { name: 'HikariCP', size: 'maximumPoolSize (10 when left out)', wait: 'connectionTimeout (30 s when left out)' },
  tomcat: {
    name: 'Tomcat DBCP',
    size: 'maxTotal (8 when left out; maxActive of older ones)',
    wait: 'maxWaitMillis (for ever when left out)',
  },
  tomcatJdbc: { name: 'Tomcat JDBC pool', size: 'maxActive (100 when left out)', wait: 'maxWait (30 s when left out)' },
  pgbouncer: { name: 'PgBouncer', size: 'default_pool_size (20 when left out)', wait: 'query_wait_timeout (120 s when left out)' },
};

/** Programs that a server names in its header Server, and the pool that they most often come with. */
const BY_SOFTWARE: readonly (readonly [RegExp, Pool])[] = [
  [/tornado|werkzeug|uvicorn/i, 'sqlalchemy'],
  [/gunicorn|wsgiserver/i, 'django'],
  [/apache-coyote|tomcat/i, 'tomcat'],
];

/** The pool that the plan names, else the one that goes with what the server calls itself; null where neither tells. */
export function poolOf(named: Pool | undefined, software: string | null): Pool | null {
  return named ?? BY_SOFTWARE.find(([pattern]) => pattern.test(software ?? ''))?.[1] ?? null;
}
