import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { runs } from './0001-runs.ts';
import { distributions } from './0013-distributions.ts';

it('migration 13 keeps run details and adds an empty distribution', () => {
  const database = new Database(':memory:');
  runs.up(database);
  database.exec(`
    INSERT INTO runs (key, id, name, target, holdfast_version, started_at, state, owner_pid, owner_start, owner_boot, owner_namespace, heartbeat_ms)
    VALUES (1, 'a', 'A', 't', '0', '2026', 'finished', 1, '', '', '', 0);
    INSERT INTO run_details (run, plan, result) VALUES (1, '{}', x'01');`);
  distributions.up(database);
  expect(database.prepare('SELECT plan, result, distribution FROM run_details').raw().all()).toEqual([['{}', Buffer.from([1]), null]]);
  database.close();
});
