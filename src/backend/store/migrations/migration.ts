import type { Database } from 'better-sqlite3';

/** A step from schema `version - 1` to `version`, run inside a transaction. A released migration is never edited. */
export interface Migration {
  readonly version: number;
  readonly name: string;
  up(database: Database): void;
}
