import type { Database } from 'better-sqlite3';

/** One step from the schema `version - 1` to `version`. Runs inside a transaction; a migration that was released is never edited. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  up(database: Database): void;
}
