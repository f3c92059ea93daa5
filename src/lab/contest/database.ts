import { Client, Pool } from 'pg';
import type { InnerConnection } from '../faults.ts';
import { addRole, startPostgresql } from '../programs/postgresql.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';
import type { Values } from './options.ts';

/** The database behind the shards. */
export interface ContestDatabase {
  /** Database URL for inspecting the data. It uses a reserved connection, which is free even when all others are taken. */
  readonly adminUrl: string;
  /** Creates the connection pool of one shard process. */
  connections(): ShardConnections;
  /** Returns the number of open connections of the contest, as the database counts them. */
  open(): Promise<number>;
  /** Opens a connection outside the pools. */
  connect(): Promise<InnerConnection>;
}

export interface ShardConnections {
  /**
   * Takes a connection from the pool, keeps it in a transaction during `work` as a shard does for a page, and then returns it. With
   * `takesSecond`, the page briefly needs a second connection before it returns the first.
   */
  use(work: () => Promise<void>, takesSecond: boolean): Promise<void>;
  close(): Promise<void>;
}

/** Starts PostgreSQL. A page that gets no connection fails. Throws `PART_FAILED`. */
export async function startContestDatabase(supervisor: Supervisor, values: Values): Promise<ContestDatabase> {
  const adminUrl = await startPostgresql(supervisor, values['database-limit']);
  const connectionString = await addRole(adminUrl, 'contest');
  return {
    adminUrl,
    connections() {
      // The pool has the limits of SQLAlchemy: a size, an overflow of connections that are closed when no page waits for one, and a time
      // after which a waiting page gets an error.
      const pool = new Pool({
        connectionString,
        min: values.pool,
        max: values.pool + values['pool-overflow'],
        idleTimeoutMillis: 1,
        connectionTimeoutMillis: values['pool-wait-ms'],
      });
      pool.on('error', () => {});
      const inTransaction = async (work: () => Promise<void>): Promise<void> => {
        const client = await pool.connect();
        try {
          await client.query('BEGIN; SELECT 1');
          await work();
        } finally {
          await client.query('ROLLBACK').then(
            () => client.release(),
            () => client.release(true),
          );
        }
      };
      return {
        use: (work, takesSecond) =>
          inTransaction(async () => {
            await work();
            if (takesSecond) await inTransaction(() => Promise.resolve());
          }),
        close: () => pool.end(),
      };
    },
    async open() {
      const client = new Client({ connectionString: adminUrl });
      await client.connect();
      try {
        const { rows } = await client.query("SELECT count(*)::int AS open FROM pg_stat_activity WHERE usename = 'contest'");
        return Number(rows[0]?.open ?? 0);
      } finally {
        await client.end();
      }
    },
    async connect() {
      const client = new Client({ connectionString });
      client.on('error', () => {});
      await client.connect();
      const end = (): void => void client.end().catch(() => {});
      return { end, destroy: end };
    },
  };
}
