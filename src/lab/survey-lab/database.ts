import Sqlite from 'better-sqlite3';
import { Pool, type PoolClient } from 'pg';

/** Thrown if no connection is available, because the pool was empty for too long or the database allows no more connections. */
export class NoConnectionError extends Error {
  override readonly name = 'NoConnection';
}

export type Row = Readonly<Record<string, unknown>>;
export type Value = string | number;

/** A database that is queried with the SQL that PostgreSQL and SQLite share. `$1`, `$2` … are parameters. */
export interface Database {
  query(sql: string, values?: readonly Value[]): Promise<Row[]>;
  /** Runs several statements. */
  run(sql: string): Promise<void>;
  /** Returns SQL for a table of the numbers from 0 to count − 1, named `series(g)`. */
  series(count: number): string;
  readonly serial: string;
  /** Returns the size of a table on disk in bytes, including the free space left by deleted rows. */
  bytesOf(table: string): Promise<number>;
  /** Rewrites a table so that it has no free space. */
  reorganize(table: string): Promise<void>;
  /** Runs work in a transaction with its own connection. */
  withConnection(work: (held: Pick<Database, 'query'>) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/**
 * Opens PostgreSQL with a connection pool that keeps its connections. Further queries wait in order for a limited time and then throw
 * {@link NoConnectionError}. They throw the same error if the database refuses a connection.
 */
export function openPostgresql(url: string, connections: number, waitMs: number): Database {
  const pool = new Pool({ connectionString: url, max: connections, connectionTimeoutMillis: waitMs, idleTimeoutMillis: 0 });
  const takeClient = (): Promise<PoolClient> =>
    pool.connect().catch((thrown: unknown) => Promise.reject(new NoConnectionError('No connection to the database.', { cause: thrown })));
  const query: Database['query'] = async (sql, values = []) => {
    const client = await takeClient();
    try {
      return (await client.query<Row>(sql, [...values])).rows;
    } finally {
      client.release();
    }
  };
  // If the server ends first, idle connections emit errors. They are ignored here, because the next query reports the error too.
  pool.on('error', () => {});
  return {
    query,
    async run(sql) {
      await query(sql);
    },
    series: (count) => `generate_series(0, ${count - 1}) AS series(g)`,
    serial: 'SERIAL PRIMARY KEY',
    async bytesOf(table) {
      const rows = await query('SELECT pg_relation_size($1::regclass) AS bytes', [table]);
      return Number(rows[0]?.['bytes'] ?? 0);
    },
    async reorganize(table) {
      await query(`VACUUM FULL ${table}`);
    },
    async withConnection(work) {
      const client = await takeClient();
      try {
        await client.query('BEGIN');
        await work({ query: async (sql, values = []) => (await client.query<Row>(sql, [...values])).rows });
      } finally {
        await client.query('COMMIT').finally(() => client.release());
      }
    },
    close: () => pool.end(),
  };
}

/** Opens SQLite inside this process. It runs one query at a time, which blocks everything else. */
export function openSqlite(file: string): Database {
  const database = new Sqlite(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = OFF');
  const sqlite: Database = {
    query(sql, values = []) {
      const statement = database.prepare<unknown[], Row>(sql.replaceAll(/\$\d+/g, '?'));
      if (statement.reader) return Promise.resolve(statement.all(...values));
      statement.run(...values);
      return Promise.resolve([]);
    },
    run(sql) {
      database.exec(sql);
      return Promise.resolve();
    },
    series: (count) =>
      `(WITH RECURSIVE numbers(g) AS (SELECT 0 UNION ALL SELECT g + 1 FROM numbers WHERE g < ${count - 1}) SELECT g FROM numbers) AS series`,
    serial: 'INTEGER PRIMARY KEY',
    bytesOf(table) {
      const row = database.prepare<[string], Row>('SELECT sum(pgsize) AS bytes FROM dbstat WHERE name = ?').get(table);
      return Promise.resolve(Number(row?.['bytes'] ?? 0));
    },
    reorganize() {
      // SQLite cannot vacuum a single table.
      database.exec('VACUUM');
      return Promise.resolve();
    },
    // SQLite has only one connection.
    withConnection: (work) => work(sqlite),
    close() {
      database.close();
      return Promise.resolve();
    },
  };
  return sqlite;
}
