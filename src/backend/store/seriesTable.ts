import { z } from 'zod';
import { cellRunSchema, SERIES_STATES, type CellRun, type SeriesHead } from '#core/series/result.ts';
import { storedSeries } from '#core/series/parse.ts';
import type { SeriesDocument } from '#core/series/schema.ts';
import type { ProcessIdentity } from '../processIdentity.ts';
import type { SqliteDatabase } from './database.ts';
import { OWNER_COLUMNS, ownerOf } from './owner.ts';

export interface NewSeries {
  readonly head: SeriesHead;
  readonly document: SeriesDocument;
  readonly runs: readonly CellRun[];
  readonly owner: ProcessIdentity;
  readonly nowMs: number;
}

export interface SeriesEnding {
  readonly state: SeriesHead['state'];
  readonly endedAt: string;
  readonly because: string | null;
}

const recordSchema = z.object({
  key: z.int(),
  id: z.string(),
  name: z.string(),
  document: z.string().transform((text) => storedSeries(JSON.parse(text))),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  state: z.enum(SERIES_STATES),
  ended_text: z.string().nullable(),
  ...OWNER_COLUMNS,
  heartbeat_ms: z.number(),
});

/** A series as it is stored. */
export interface SeriesRecord {
  readonly key: number;
  readonly head: SeriesHead;
  readonly document: SeriesDocument;
  readonly owner: ProcessIdentity;
  readonly heartbeatMs: number;
}

/** Reading and writing the tables `series` and `series_runs`. */
export function createSeriesTable(database: SqliteDatabase) {
  const insert = database.prepare(`
    INSERT INTO series (id, name, document, started_at, state, owner_pid, owner_start, owner_boot, owner_namespace, heartbeat_ms)
    VALUES (@id, @name, @document, @startedAt, @state, @pid, @startTime, @bootId, @pidNamespace, @nowMs)`);
  const saveRun = database.prepare('INSERT OR REPLACE INTO series_runs (series, position, record) VALUES (@key, @position, @record)');
  const beat = database.prepare('UPDATE series SET heartbeat_ms = @nowMs WHERE key = @key');
  const end = database.prepare(
    'UPDATE series SET state = @state, ended_at = @endedAt, ended_text = @because WHERE key = @key AND ended_at IS NULL',
  );
  const reopen = database.prepare(`
    UPDATE series SET state = 'running', ended_at = NULL, ended_text = NULL, owner_pid = @pid, owner_start = @startTime,
      owner_boot = @bootId, owner_namespace = @pidNamespace, heartbeat_ms = @nowMs
    WHERE key = @key AND ended_at IS NOT NULL`);
  const removeRuns = database.prepare('DELETE FROM series_runs WHERE series = ?');
  const remove = database.prepare('DELETE FROM series WHERE key = ? AND ended_at IS NOT NULL');
  const byId = database.prepare('SELECT * FROM series WHERE id = ?');
  const going = database.prepare('SELECT * FROM series WHERE ended_at IS NULL ORDER BY key DESC');
  const newest = database.prepare('SELECT * FROM series ORDER BY started_at DESC, key DESC LIMIT ? OFFSET ?');
  const total = database.prepare('SELECT count(*) FROM series').pluck();
  const runs = database.prepare('SELECT record FROM series_runs WHERE series = ? ORDER BY position').pluck();

  return {
    /** Returns the key that the other table uses. */
    create({ head, document, runs: planned, owner, nowMs }: NewSeries): number {
      const { id, name, startedAt, state } = head;
      const row = { id, name, startedAt, state, document: JSON.stringify(document), ...owner, nowMs };
      const key = Number(insert.run(row).lastInsertRowid);
      for (const run of planned) saveRun.run({ key, position: run.position, record: JSON.stringify(run) });
      return key;
    },
    saveRun(key: number, run: CellRun, nowMs: number): void {
      saveRun.run({ key, position: run.position, record: JSON.stringify(run) });
      beat.run({ key, nowMs });
    },
    beat: (key: number, nowMs: number): void => void beat.run({ key, nowMs }),
    /** False when it had ended already: what was settled first stays. */
    end: (key: number, ending: SeriesEnding): boolean => end.run({ key, ...ending }).changes === 1,
    /** False when it goes already. */
    reopen: (key: number, owner: ProcessIdentity, nowMs: number): boolean => reopen.run({ key, ...owner, nowMs }).changes === 1,
    /** False for one that goes. The runs of its cells are not touched. */
    remove(key: number): boolean {
      removeRuns.run(key);
      return remove.run(key).changes === 1;
    },
    find(id: string): SeriesRecord | null {
      const record = byId.get(id);
      return record === undefined ? null : recordOf(record);
    },
    going: (): SeriesRecord[] => going.all().map(recordOf),
    list: (limit: number, offset: number): { series: SeriesRecord[]; total: number } => ({
      series: newest.all(limit, offset).map(recordOf),
      total: z.int().parse(total.get()),
    }),
    runs: (key: number): CellRun[] =>
      z
        .array(z.string())
        .parse(runs.all(key))
        .map((text) => cellRunSchema.parse(JSON.parse(text))),
  };
}

function recordOf(row: unknown): SeriesRecord {
  const record = recordSchema.parse(row);
  return {
    key: record.key,
    head: {
      id: record.id,
      name: record.name,
      startedAt: record.started_at,
      endedAt: record.ended_at,
      state: record.state,
      endedBecause: record.ended_text,
    },
    document: record.document,
    owner: ownerOf(record),
    heartbeatMs: record.heartbeat_ms,
  };
}
