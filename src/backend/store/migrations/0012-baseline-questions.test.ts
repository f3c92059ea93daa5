import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { runs } from './0001-runs.ts';
import { series } from './0003-series.ts';
import { baselines } from './0011-baselines.ts';
import { baselineQuestions } from './0012-baseline-questions.ts';

it('migration 12 finds baselines of plans by plan name, and repeats by an index', () => {
  const database = new Database(':memory:');
  runs.up(database);
  series.up(database);
  baselines.up(database);
  database.exec(`
    INSERT INTO runs (key, id, name, target, holdfast_version, started_at, state, owner_pid, owner_start, owner_boot, owner_namespace,
      heartbeat_ms, preset, series_id, series_name, series_cell, series_repeat)
    VALUES
      (1, 'own', 'Renamed', 'http://a/', '0', '2026', 'finished', 1, '', '', '', 0, NULL, NULL, NULL, NULL, NULL),
      (2, 'preset', 'Renamed', 'http://a/', '0', '2026', 'finished', 1, '', '', '', 0, 'contest-day', NULL, NULL, NULL, NULL),
      (3, 'repeat', 'Renamed', 'http://a/', '0', '2026', 'finished', 1, '', '', '', 0, NULL, 's-1', 'A series', 'the plan', 1);
    INSERT INTO run_details (run, plan) VALUES (1, '{"name":"A page"}'), (2, '{"name":"A page"}'), (3, '{"name":"A series · the plan"}');
    INSERT INTO baselines VALUES ('Renamed', 0, 'http://a/', 1, 0), ('contest-day', 1, 'http://a/', 2, 0), ('A series', 0, 'http://a/', 3, 0);`);
  baselineQuestions.up(database);
  expect(database.prepare('SELECT run, question FROM baselines ORDER BY run').raw().all()).toEqual([
    [1, 'A page'],
    [2, 'contest-day'],
    [3, 'A series'],
  ]);
  const plan = database.prepare(`
    EXPLAIN QUERY PLAN SELECT * FROM runs WHERE series_id = ? AND series_cell = ? AND ended_at IS NOT NULL AND deleted_ms IS NULL ORDER BY started_at, key`);
  expect(JSON.stringify(plan.all('s-1', 'the plan'))).toContain('USING INDEX runs_of_cell');
  database.close();
});
