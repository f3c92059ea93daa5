import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { runs } from './0001-runs.ts';
import { selfTests } from './0002-self-tests.ts';
import { series } from './0003-series.ts';
import { samples } from './0004-samples.ts';
import { hosts } from './0005-hosts.ts';
import { generators } from './0008-generators.ts';

it('migration 8 makes the only generator of a run its first, and keeps its windows', () => {
  const database = new Database(':memory:');
  database.pragma('foreign_keys = ON');
  for (const { up } of [runs, selfTests, series, samples, hosts]) up(database);
  database.exec(`
    INSERT INTO runs (key, id, name, target, holdfast_version, started_at, state, owner_pid, owner_start, owner_boot, owner_namespace, heartbeat_ms)
    VALUES (1, 'a', 'A', 't', '0', '2026', 'finished', 1, '', '', '', 0), (2, 'b', 'B', 't', '0', '2026', 'finished', 1, '', '', '', 0);
    INSERT INTO run_details (run, plan, generator) VALUES (1, '{}', '{"name":"this computer"}'), (2, '{}', NULL);
    INSERT INTO windows (run, second, width, sick, counters, reading) VALUES (1, 0, 1, '', x'01', '{}'), (1, 1, 10, 'noPort', x'02', '{}');`);
  generators.up(database);
  const rows = (sql: string): unknown[] => database.prepare(sql).raw().all();
  expect(rows('SELECT run, number, facts FROM generators')).toEqual([[1, 0, '{"name":"this computer"}']]);
  expect(rows('SELECT generator, second, width, sick, counters FROM windows ORDER BY second')).toEqual([
    [0, 0, 1, '', Buffer.from([1])],
    [0, 1, 10, 'noPort', Buffer.from([2])],
  ]);
  database.exec(`INSERT INTO windows (run, generator, second, width, sick, counters, reading) VALUES (1, 1, 0, 1, '', x'03', '{}')`);
  database.exec('DELETE FROM runs');
  expect(rows('SELECT count(*) FROM windows UNION ALL SELECT count(*) FROM generators')).toEqual([[0], [0]]);
  database.close();
});
