import { Client } from 'pg';
import type { InnerConnection } from '../faults.ts';
import { addRole, startPostgresql } from '../programs/postgresql.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';
import { ConnectionPool } from './pool.ts';

/** The database behind the shards. */
export interface ContestDatabase {
  /** Address for inspecting the data, with a reserved connection for the case that all others are taken. */
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
   * Holds a connection of the pool in a transaction during `work`, like a page of a shard. `takesSecond`: briefly needs a second connection
   * before it returns the first.
   */
  use(work: () => Promise<void>, takesSecond: boolean): Promise<void>;
  close(): Promise<void>;
}

export interface DatabaseSettings {
  /** Maximum number of connections, including three for the administrator. */
  readonly limit: number;
  readonly poolSize: number;
  readonly poolOverflow: number;
  readonly poolWaitMs: number;
}

/** Starts PostgreSQL. A page without a connection fails. Throws `PART_FAILED`. */
export async function startContestDatabase(supervisor: Supervisor, settings: DatabaseSettings): Promise<ContestDatabase> {
  const adminUrl = await startPostgresql(supervisor, settings.limit);
  const connectionString = await addRole(adminUrl, 'contest');
  const open = async (): Promise<Client> => {
    const client = new Client({ connectionString });
    client.on('error', () => {});
    await client.connect();
    return client;
  };
  const close = (client: Client): Promise<void> => client.end();
  const { poolSize: size, poolOverflow: overflow, poolWaitMs: waitMs } = settings;
  return {
    adminUrl,
    connections() {
      const pool = new ConnectionPool({ size, overflow, waitMs, open, close });
      const inTransaction = async (work: () => Promise<void>): Promise<void> => {
        const client = await pool.take();
        try {
          await client.query('BEGIN; SELECT 1');
          await work();
        } finally {
          await client.query('ROLLBACK').then(
            () => pool.giveBack(client),
            () => pool.discard(client),
          );
        }
      };
      return {
        use: (work, takesSecond) =>
          inTransaction(async () => {
            await work();
            if (takesSecond) await inTransaction(() => Promise.resolve());
          }),
        close: () => pool.close(),
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
      const client = await open();
      return { end: () => void close(client).catch(() => {}), destroy: () => void close(client).catch(() => {}) };
    },
  };
}
