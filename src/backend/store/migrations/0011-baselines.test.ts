import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { runs } from './0001-runs.ts';
import { baselines } from './0011-baselines.ts';

describe('migration 11', () => {
  it('adds baselines that are deleted with their runs', () => {
    const database = new Database(':memory:');
    database.pragma('foreign_keys = ON');
    runs.up(database);
    baselines.up(database);
    database.exec(`
      INSERT INTO runs (key, id, name, target, holdfast_version, started_at, state, owner_pid, owner_start, owner_boot, owner_namespace, heartbeat_ms)
      VALUES (1, 'r', 'R', 'http://127.0.0.1/', '0', '2026', 'finished', 1, '', '', '', 0);
      INSERT INTO baselines VALUES ('p', 1, 'http://127.0.0.1/', 1, 0);
      DELETE FROM runs WHERE key = 1;`);
    expect(database.prepare('SELECT count(*) FROM baselines').pluck().get()).toBe(0);
    database.close();
  });
});
