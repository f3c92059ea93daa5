import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { runs } from './0001-runs.ts';
import { selfTests } from './0002-self-tests.ts';
import { series } from './0003-series.ts';
import { monitors } from './0006-monitors.ts';

it('migration 6 adds tables whose rows are deleted with their run', () => {
  const database = new Database(':memory:');
  database.pragma('foreign_keys = ON');
  for (const { up } of [runs, selfTests, series, monitors]) up(database);
  database.exec(`
    INSERT INTO runs (key, id, name, target, holdfast_version, started_at, state, owner_pid, owner_start, owner_boot, owner_namespace, heartbeat_ms)
    VALUES (1, 'a', 'A', 't', '0', '2026', 'finished', 1, '', '', '', 0);
    INSERT INTO monitors (run, number, info) VALUES (1, 0, '{}');
    INSERT INTO monitor_readings (run, number, second, until, folded, columns) VALUES (1, 0, 0.5, 10.5, 0, x'00');`);
  database.exec('DELETE FROM runs');
  expect(database.prepare('SELECT (SELECT count(*) FROM monitors) + (SELECT count(*) FROM monitor_readings)').pluck().get()).toBe(0);
  database.close();
});
