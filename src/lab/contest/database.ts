import { randomBytes } from 'node:crypto';
import { Client, Pool } from 'pg';
import type { InnerConnection } from '../faults.ts';
import { startPostgresql } from '../programs/postgresql.ts';
import type { Supervisor } from '../supervisor/supervisor.ts';

/** The database behind the shards. */
export interface ContestDatabase {
  /** For whoever wants to look into it, with a place of its own when all others are taken. */
  readonly adminUrl: string;
  /** What a shard does with a page: takes a connection of its pool for as long as `work` takes. */
  shard(): { use(work: () => Promise<void>): Promise<void>; close(): Promise<void> };
  /** Connections of the contest that are open, as the database counts them. */
  connections(): Promise<number>;
  /** A connection beside the pools. */
  connect(): Promise<InnerConnection>;
}

/** As long as SQLAlchemy waits for a connection of its pool, and as long as it keeps an idle one. */
const POOL_WAIT_MS = 60_000;
const POOL_KEEP_MS = 120_000;

/**
 * A PostgreSQL that allows so many connections, three of them for its administrator. A page that gets none fails. Throws `PART_FAILED`.
 */
export async function startContestDatabase(supervisor: Supervisor, limit: number, poolSize: number): Promise<ContestDatabase> {
  const adminUrl = await startPostgresql(supervisor, limit);
  const password = randomBytes(12).toString('hex');
  const admin = new Client({ connectionString: adminUrl });
  await admin.connect();
  await admin.query(`CREATE ROLE contest LOGIN PASSWORD '${password}'`);
  await admin.end();
  const url = new URL(adminUrl);
  url.username = 'contest';
  url.password = password;
  const connectionString = url.href;
  return {
    adminUrl,
    shard() {
      const pool = new Pool({ connectionString, max: poolSize, connectionTimeoutMillis: POOL_WAIT_MS, idleTimeoutMillis: POOL_KEEP_MS });
      pool.on('error', () => {});
      return {
        async use(work) {
          const client = await pool.connect();
          try {
            await client.query('SELECT 1');
            await work();
          } finally {
            client.release();
          }
        },
        close: () => pool.end(),
      };
    },
    async connections() {
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
      return { end: () => void client.end().catch(() => {}), destroy: () => void client.end().catch(() => {}) };
    },
  };
}
