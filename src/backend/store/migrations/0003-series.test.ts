import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { runs } from './0001-runs.ts';
import { selfTests } from './0002-self-tests.ts';
import { series } from './0003-series.ts';

describe('migration 3', () => {
  it('adds series without earlier runs, and deletes the runs of a series with it', () => {
    const database = new Database(':memory:');
    database.pragma('foreign_keys = ON');
    runs.up(database);
    selfTests.up(database);
    database.exec(`
      INSERT INTO runs (key, id, name, target, holdfast_version, started_at, state, owner_pid, owner_start, owner_boot, owner_namespace, heartbeat_ms)
      VALUES (1, 'a', 'A', 't', '0', '2026', 'finished', 1, '', '', '', 0);`);
    series.up(database);
    expect(database.prepare('SELECT series_id, series_repeat FROM runs').all()).toEqual([{ series_id: null, series_repeat: null }]);
    database.exec(`
      INSERT INTO series (key, id, name, document, started_at, state, owner_pid, owner_start, owner_boot, owner_namespace, heartbeat_ms)
      VALUES (1, 's', 'S', '{}', '2026', 'running', 1, '', '', '', 0);
      INSERT INTO series_runs (series, position, record) VALUES (1, 0, '{}');
      DELETE FROM series WHERE key = 1;`);
    expect(database.prepare('SELECT count(*) FROM series_runs').pluck().get()).toBe(0);
    database.close();
  });
});
