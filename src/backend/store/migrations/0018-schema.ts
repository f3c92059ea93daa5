import type { Migration } from './migration.ts';

/** Columns of a document that only one process at a time may write. */
const OWNED_COLUMNS = [
  'key INTEGER PRIMARY KEY',
  'id TEXT NOT NULL UNIQUE',
  'name TEXT NOT NULL',
  'started_at TEXT NOT NULL',
  'ended_at TEXT',
  'state TEXT NOT NULL',
  'ended_text TEXT',
  'owner_pid INTEGER NOT NULL',
  'owner_start TEXT NOT NULL',
  'owner_boot TEXT NOT NULL',
  'owner_namespace TEXT NOT NULL',
  'heartbeat_ms INTEGER NOT NULL',
].join(', ');

const TABLES = `
  -- The columns that lists need. Plans and results are in run_details: a search over 10,000 runs reads this table only.
  CREATE TABLE runs (${OWNED_COLUMNS},
    note TEXT NOT NULL DEFAULT '',
    preset TEXT,
    target TEXT NOT NULL,
    holdfast_version TEXT NOT NULL,
    ended_code TEXT,
    outcome TEXT,
    sentence TEXT,
    -- Number of the rules that judged the run; NULL until it is judged.
    rules INTEGER,
    requests INTEGER NOT NULL DEFAULT 0,
    completed_per_second REAL,
    p95 TEXT,
    sparkline TEXT NOT NULL DEFAULT '[]',
    deleted_ms INTEGER,
    series_id TEXT,
    series_name TEXT,
    series_cell TEXT,
    series_repeat INTEGER
  ) STRICT;
  CREATE INDEX runs_newest ON runs (started_at DESC, key DESC) WHERE deleted_ms IS NULL;
  CREATE INDEX runs_going ON runs (state) WHERE ended_at IS NULL;
  CREATE INDEX runs_of_cell ON runs (series_id, series_cell) WHERE series_id IS NOT NULL;

  CREATE TABLE run_details (
    run INTEGER PRIMARY KEY REFERENCES runs (key) ON DELETE CASCADE,
    plan TEXT NOT NULL,
    engine_end TEXT,
    result BLOB,
    -- Kept once computed: computing it from the windows of an hour takes seconds.
    distribution BLOB
  ) STRICT;

  CREATE TABLE events (
    run INTEGER NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    event TEXT NOT NULL,
    PRIMARY KEY (run, number)
  ) STRICT;

  -- Load generators of a run, numbered from 0. Each has its own windows, whose sum is the run.
  CREATE TABLE generators (
    run INTEGER NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    facts TEXT NOT NULL,
    PRIMARY KEY (run, number)
  ) STRICT;
  CREATE TABLE windows (
    run INTEGER NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
    generator INTEGER NOT NULL,
    second REAL NOT NULL,
    width REAL NOT NULL,
    overloaded_by TEXT NOT NULL,
    counters BLOB NOT NULL,
    reading TEXT NOT NULL,
    PRIMARY KEY (run, second, generator)
  ) STRICT;

  -- The first failures of each kind, with request and response.
  CREATE TABLE samples (
    run INTEGER NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    sample TEXT NOT NULL,
    PRIMARY KEY (run, number)
  ) STRICT;

  -- Monitored machines and services of a run, and their readings: some seconds in each row, in columns.
  CREATE TABLE monitors (
    run INTEGER NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    info TEXT NOT NULL,
    PRIMARY KEY (run, number)
  ) STRICT;
  CREATE TABLE monitor_readings (
    run INTEGER NOT NULL,
    number INTEGER NOT NULL,
    second REAL NOT NULL,
    until REAL NOT NULL,
    folded INTEGER NOT NULL,
    columns BLOB NOT NULL,
    PRIMARY KEY (run, number, second),
    FOREIGN KEY (run, number) REFERENCES monitors (run, number) ON DELETE CASCADE
  ) STRICT;

  -- Visits of a browser during a run: facts of all visits, each visit, and films of some.
  CREATE TABLE visit_facts (
    run INTEGER PRIMARY KEY REFERENCES runs (key) ON DELETE CASCADE,
    facts TEXT NOT NULL
  ) STRICT;
  CREATE TABLE visits (
    run INTEGER NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    visit TEXT NOT NULL,
    film BLOB,
    PRIMARY KEY (run, number)
  ) STRICT;

  -- Series and searches. record keeps the outcome of a run, so that tables survive the deletion of their runs.
  CREATE TABLE series (${OWNED_COLUMNS}, document TEXT NOT NULL) STRICT;
  CREATE INDEX series_newest ON series (started_at DESC, key DESC);
  CREATE TABLE series_runs (
    series INTEGER NOT NULL REFERENCES series (key) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (series, position)
  ) STRICT;
  CREATE TABLE studies (${OWNED_COLUMNS}, document TEXT NOT NULL) STRICT;
  CREATE INDEX studies_newest ON studies (started_at DESC, key DESC);
  CREATE TABLE study_runs (
    study INTEGER NOT NULL REFERENCES studies (key) ON DELETE CASCADE,
    position INTEGER NOT NULL,
    record TEXT NOT NULL,
    PRIMARY KEY (study, position)
  ) STRICT;

  -- Runs that later runs of the same question and target are compared with. A question is a preset or the name of a plan.
  CREATE TABLE baselines (
    question TEXT NOT NULL,
    is_preset INTEGER NOT NULL,
    target TEXT NOT NULL,
    run INTEGER NOT NULL REFERENCES runs (key) ON DELETE CASCADE,
    set_ms INTEGER NOT NULL,
    PRIMARY KEY (question, is_preset, target, run)
  ) STRICT;
  CREATE INDEX baselines_of_run ON baselines (run);

  -- A self-test counts only for the machine and installation that made it.
  CREATE TABLE self_tests (key INTEGER PRIMARY KEY, machine TEXT NOT NULL, at TEXT NOT NULL, report TEXT NOT NULL) STRICT;
  CREATE INDEX self_tests_newest ON self_tests (machine, key DESC);

  -- Hosts that can generate load. A host is one document without secrets.
  CREATE TABLE hosts (name TEXT PRIMARY KEY COLLATE NOCASE, host TEXT NOT NULL) STRICT;

  -- Settings changed on machines, until they are reverted. An id is never used twice.
  CREATE TABLE host_changes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    host TEXT COLLATE NOCASE,
    check_id TEXT NOT NULL,
    setting TEXT NOT NULL,
    value_before TEXT NOT NULL,
    value_after TEXT NOT NULL,
    applied_at TEXT NOT NULL,
    reverted_at TEXT
  ) STRICT;

  -- The latest measurement of the network path from a load generator to a target.
  CREATE TABLE paths (
    place TEXT NOT NULL COLLATE NOCASE,
    target TEXT NOT NULL,
    path TEXT NOT NULL,
    PRIMARY KEY (place, target)
  ) STRICT;

  -- Consents of persons, by the digest of a plan and of the list of what it asks for.
  CREATE TABLE agreements (hash TEXT PRIMARY KEY, given_at TEXT NOT NULL) STRICT;

  -- Rows of feeds that may be used once, by a hash of the server and of what identifies the row there.
  CREATE TABLE used_rows (hash TEXT PRIMARY KEY, used_at TEXT NOT NULL) STRICT;
`;

/** Creates all tables of a new database. */
export const schema: Migration = { version: 18, name: 'schema', up: (database) => database.exec(TABLES) };
