import type { SqliteDatabase } from './database.ts';

/** Reading and writing the table `agreements`. */
export function createAgreementTable(database: SqliteDatabase) {
  const insert = database.prepare('INSERT INTO agreements (hash, given_at) VALUES (?, ?) ON CONFLICT (hash) DO NOTHING');
  const one = database.prepare('SELECT 1 FROM agreements WHERE hash = ?').pluck();
  return {
    add: (hash: string, givenAt: string): void => void insert.run(hash, givenAt),
    has: (hash: string): boolean => one.get(hash) !== undefined,
  };
}
