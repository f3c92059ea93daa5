import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { runs } from './0001-runs.ts';

describe('migration 1', () => {
  it('creates the tables, and deleting a run deletes its rows in all of them', () => {
    const database = new Database(':memory:');
    database.pragma('foreign_keys = ON');
    runs.up(database);
    database.exec(`
      INSERT INTO runs (key, id, name, target, holdfast_version, started_at, state, owner_pid, owner_start, owner_boot, owner_namespace, heartbeat_ms)
      VALUES (1, 'a', 'A', 't', '0', '2026', 'running', 1, '', '', '', 0);
      INSERT INTO run_details (run, plan) VALUES (1, '{}');
      INSERT INTO windows (run, second, width, sick, counters, reading) VALUES (1, 0, 1, '', x'00', '{}');
      INSERT INTO events (run, number, event) VALUES (1, 1, '{}');
      DELETE FROM runs WHERE key = 1;`);
    for (const table of ['run_details', 'windows', 'events'])
      expect(database.prepare(`SELECT count(*) FROM ${table}`).pluck().get(), table).toBe(0);
    database.close();
  });
});
