import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { studies } from './0010-studies.ts';

describe('migration 10', () => {
  it('adds studies whose records are deleted with them', () => {
    const database = new Database(':memory:');
    database.pragma('foreign_keys = ON');
    studies.up(database);
    database.exec(`
      INSERT INTO studies (key, id, name, document, started_at, state, owner_pid, owner_start, owner_boot, owner_namespace, heartbeat_ms)
      VALUES (1, 'q-1', 'Q', '{}', '2026', 'running', 1, '', '', '', 0);
      INSERT INTO study_runs (study, position, record) VALUES (1, 0, '{}');
      DELETE FROM studies WHERE key = 1;`);
    expect(database.prepare('SELECT count(*) FROM study_runs').pluck().get()).toBe(0);
    database.close();
  });
});
