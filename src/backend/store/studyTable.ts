import { z } from 'zod';
import { SERIES_STATES } from '#core/series/result.ts';
import { studyDocumentSchema, type StudyDocument } from '#core/study/document.ts';
import type { StudyHead } from '#core/study/result.ts';
import { studyRunSchema, type StudyRun } from '#core/study/run.ts';
import type { ProcessIdentity } from '../processIdentity.ts';
import type { SqliteDatabase } from './database.ts';
import { OWNER_COLUMNS, ownerOf } from './owner.ts';
import type { SeriesEnding } from './seriesTable.ts';

export interface NewStudy {
  readonly head: StudyHead;
  readonly document: StudyDocument;
  readonly owner: ProcessIdentity;
  readonly nowMs: number;
}

/** A study as it is stored. */
export interface StudyRecord {
  readonly key: number;
  readonly head: StudyHead;
  readonly document: StudyDocument;
  readonly owner: ProcessIdentity;
  readonly heartbeatMs: number;
}

const recordSchema = z.object({
  key: z.int(),
  id: z.string(),
  name: z.string(),
  document: z.string().transform((text) => studyDocumentSchema.parse(JSON.parse(text))),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  state: z.enum(SERIES_STATES),
  ended_text: z.string().nullable(),
  ...OWNER_COLUMNS,
  heartbeat_ms: z.number(),
});

/** Reading and writing the tables `studies` and `study_runs`. */
export function createStudyTable(database: SqliteDatabase) {
  const insert = database.prepare(`
    INSERT INTO studies (id, name, document, started_at, state, owner_pid, owner_start, owner_boot, owner_namespace, heartbeat_ms)
    VALUES (@id, @name, @document, @startedAt, @state, @pid, @startTime, @bootId, @pidNamespace, @nowMs)`);
  const saveRun = database.prepare('INSERT OR REPLACE INTO study_runs (study, position, record) VALUES (@key, @position, @record)');
  const beat = database.prepare('UPDATE studies SET heartbeat_ms = @nowMs WHERE key = @key');
  const end = database.prepare(
    'UPDATE studies SET state = @state, ended_at = @endedAt, ended_text = @because WHERE key = @key AND ended_at IS NULL',
  );
  const remove = database.prepare('DELETE FROM studies WHERE key = ? AND ended_at IS NOT NULL');
  const removeRuns = database.prepare(
    'DELETE FROM study_runs WHERE study IN (SELECT key FROM studies WHERE key = ? AND ended_at IS NOT NULL)',
  );
  const byId = database.prepare('SELECT * FROM studies WHERE id = ?');
  const going = database.prepare('SELECT * FROM studies WHERE ended_at IS NULL ORDER BY key DESC');
  const newest = database.prepare('SELECT * FROM studies ORDER BY started_at DESC, key DESC LIMIT ? OFFSET ?');
  const total = database.prepare('SELECT count(*) FROM studies').pluck();
  const runs = database.prepare('SELECT record FROM study_runs WHERE study = ? ORDER BY position').pluck();

  return {
    /** Returns the key that the other table uses. */
    create({ head, document, owner, nowMs }: NewStudy): number {
      const { id, name, startedAt, state } = head;
      return Number(insert.run({ id, name, startedAt, state, document: JSON.stringify(document), ...owner, nowMs }).lastInsertRowid);
    },
    saveRun(key: number, run: StudyRun, nowMs: number): void {
      saveRun.run({ key, position: run.position, record: JSON.stringify(run) });
      beat.run({ key, nowMs });
    },
    beat: (key: number, nowMs: number): void => void beat.run({ key, nowMs }),
    /** False when it had ended already: what was settled first stays. */
    end: (key: number, ending: SeriesEnding): boolean => end.run({ key, ...ending }).changes === 1,
    /** False for one that goes. The runs themselves are not touched. */
    remove(key: number): boolean {
      removeRuns.run(key);
      return remove.run(key).changes === 1;
    },
    find(id: string): StudyRecord | null {
      const record = byId.get(id);
      return record === undefined ? null : recordOf(record);
    },
    going: (): StudyRecord[] => going.all().map(recordOf),
    list: (limit: number, offset: number): { studies: StudyRecord[]; total: number } => ({
      studies: newest.all(limit, offset).map(recordOf),
      total: z.int().parse(total.get()),
    }),
    runs: (key: number): StudyRun[] =>
      z
        .array(z.string())
        .parse(runs.all(key))
        .map((text) => studyRunSchema.parse(JSON.parse(text))),
  };
}

function recordOf(row: unknown): StudyRecord {
  const record = recordSchema.parse(row);
  return {
    key: record.key,
    head: {
      id: record.id,
      name: record.name,
      kind: record.document.kind,
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
