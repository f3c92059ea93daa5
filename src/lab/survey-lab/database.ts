import Sqlite from 'better-sqlite3';
import { Pool, type PoolClient } from 'pg';

/** That there is no connection to be had: all of the pool were taken for too long, or the database allows no more. */
export class NoConnection extends Error {
  override readonly name = 'NoConnection';
}

export type Row = Readonly<Record<string, unknown>>;
export type Value = string | number;

/** The database of the practice server, in the SQL that both have in common; `$1`, `$2` … stand for values, in this order. */
export interface Database {
  query(sql: string, values?: readonly Value[]): Promise<Row[]>;
  /** Several statements. */
  run(sql: string): Promise<void>;
  /** A table of the numbers from 0 to count − 1, as `series(g)`. */
  series(count: number): string;
  readonly serial: string;
  /** What the rows of a table take on the disk, with the room that deleted ones left behind. */
  bytesOf(table: string): Promise<number>;
  /** Writes a table anew, without that room. */
  putInOrder(table: string): Promise<void>;
  /** Does something in a transaction that has a connection of its own. */
  hold(work: (held: Pick<Database, 'query'>) => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/**
 * PostgreSQL over so many connections, which stay open once they were needed; a query beyond that waits for one, in turn and for so long. Then, as where the database refuses one, it throws
 * {@link NoConnection}.
 */
export function openPostgresql(url: string, connections: number, waitMs: number): Database {
  const pool = new Pool({ connectionString: url, max: connections, connectionTimeoutMillis: waitMs, idleTimeoutMillis: 0 });
  const take = (): Promise<PoolClient> =>
    pool.connect().catch((thrown: unknown) => Promise.reject(new NoConnection('No connection to the database.', { cause: thrown })));
  const query: Database['query'] = async (sql, values = []) => {
    const client = await take();
    try {
      return (await client.query<Row>(sql, [...values])).rows;
    } finally {
      client.release();
    }
  };
  // When the server goes away first, idle connections tell of it; the next query says so as well.
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
    async putInOrder(table) {
      await query(`VACUUM FULL ${table}`);
    },
    async hold(work) {
      const client = await take();
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

/** SQLite inside this process: one query at a time, and nothing else meanwhile. */
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
    putInOrder() {
      // It knows no order of one table alone.
      database.exec('VACUUM');
      return Promise.resolve();
    },
    // There is one connection, for all.
    hold: (work) => work(sqlite),
    close() {
      database.close();
      return Promise.resolve();
    },
  };
  return sqlite;
}
