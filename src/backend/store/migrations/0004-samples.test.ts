import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { runs } from './0001-runs.ts';
import { selfTests } from './0002-self-tests.ts';
import { series } from './0003-series.ts';
import { samples } from './0004-samples.ts';

describe('migration 4', () => {
  it('adds a table whose rows are deleted with their run', () => {
    const database = new Database(':memory:');
    database.pragma('foreign_keys = ON');
    for (const { up } of [runs, selfTests, series]) up(database);
    database.exec(`
      INSERT INTO runs (key, id, name, target, holdfast_version, started_at, state, owner_pid, owner_start, owner_boot, owner_namespace, heartbeat_ms)
      VALUES (1, 'a', 'A', 't', '0', '2026', 'finished', 1, '', '', '', 0);`);
    samples.up(database);
    database.exec(`INSERT INTO samples (run, number, sample) VALUES (1, 1, '{}');`);
    expect(database.prepare('SELECT sample FROM samples').pluck().all()).toEqual(['{}']);
    database.exec('DELETE FROM runs');
    expect(database.prepare('SELECT count(*) FROM samples').pluck().get()).toBe(0);
    database.close();
  });
});
