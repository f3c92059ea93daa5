import Sqlite from 'better-sqlite3';
import { Pool } from 'pg';

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
  close(): Promise<void>;
}

/** PostgreSQL over so many connections; a query beyond that waits for one. */
export function openPostgresql(url: string, connections: number): Database {
  const pool = new Pool({ connectionString: url, max: connections });
  // When the server goes away first, idle connections tell of it; the next query says so as well.
  pool.on('error', () => {});
  return {
    async query(sql, values = []) {
      const { rows } = await pool.query<Row>(sql, [...values]);
      return rows;
    },
    async run(sql) {
      await pool.query(sql);
    },
    series: (count) => `generate_series(0, ${count - 1}) AS series(g)`,
    serial: 'SERIAL PRIMARY KEY',
    close: () => pool.end(),
  };
}

/** SQLite inside this process: one query at a time, and nothing else meanwhile. */
export function openSqlite(file: string): Database {
  const database = new Sqlite(file);
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = OFF');
  return {
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
    close() {
      database.close();
      return Promise.resolve();
    },
  };
}
