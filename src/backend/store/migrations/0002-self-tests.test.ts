import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { runs } from './0001-runs.ts';
import { selfTests } from './0002-self-tests.ts';

describe('migration 2', () => {
  it('adds a table and leaves the runs unchanged', () => {
    const database = new Database(':memory:');
    runs.up(database);
    database.exec(`
      INSERT INTO runs (key, id, name, target, holdfast_version, started_at, state, owner_pid, owner_start, owner_boot, owner_namespace, heartbeat_ms)
      VALUES (1, 'a', 'A', 't', '0', '2026', 'finished', 1, '', '', '', 0);`);
    selfTests.up(database);
    database.exec(`INSERT INTO self_tests (machine, at, report) VALUES ('m', '2026', '{}');`);
    expect(database.prepare('SELECT count(*) FROM runs').pluck().get()).toBe(1);
    expect(database.prepare('SELECT report FROM self_tests').pluck().all()).toEqual(['{}']);
    database.close();
  });
});
