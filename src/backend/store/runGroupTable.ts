import { z } from 'zod';
import type { HoldfastError } from '#core/base/errors.ts';
import type { StorableDocument } from '#core/plan/hideSecrets.ts';
import { SERIES_STATES, type SeriesHead } from '#core/series/result.ts';
import type { ProcessIdentity } from '#engine/processIdentity.ts';
import type { SqliteDatabase } from './database.ts';
import { OWNER_COLUMNS, ownerOf, type StoreAccess } from './rows.ts';

/** A new run group: a series or a search, whose document results in several runs. */
export interface NewRunGroup<Document, Run> {
  readonly head: SeriesHead;
  readonly document: StorableDocument<Document>;
  /** The runs that are known at the start. */
  readonly runs: readonly Run[];
  readonly owner: ProcessIdentity;
  readonly nowMs: number;
}

export interface RunGroupRecord<Document> {
  readonly key: number;
  readonly head: SeriesHead;
  readonly document: Document;
  readonly owner: ProcessIdentity;
  readonly heartbeatMs: number;
}

export interface RunGroupEnding {
  readonly state: SeriesHead['state'];
  readonly endedAt: string;
  readonly because: string | null;
}

/** A kind of run group: its tables and parsers. */
export interface RunGroupKind<Document, Run> {
  readonly table: 'series' | 'studies';
  readonly runsTable: 'series_runs' | 'study_runs';
  /** The column of `runsTable` that names the group. */
  readonly groupColumn: 'series' | 'study';
  /** Parses a stored document and converts it to the current form. Throws if that is impossible. */
  readonly buildDocument: (stored: unknown) => Document;
  readonly makeRun: (stored: unknown) => Run;
  readonly noSuch: (id: string) => HoldfastError;
}

const recordSchema = z.object({
  key: z.int(),
  id: z.string(),
  name: z.string(),
  document: z.string().transform((text): unknown => JSON.parse(text)),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  state: z.enum(SERIES_STATES),
  ended_text: z.string().nullable(),
  ...OWNER_COLUMNS,
  heartbeat_ms: z.number(),
});

/** Reads and writes the two tables of a kind of run group. */
export function createRunGroupTable<Document, Run extends { readonly position: number }>(
  database: SqliteDatabase,
  { write, read }: StoreAccess,
  { buildDocument, makeRun, noSuch, ...tables }: RunGroupKind<Document, Run>,
) {
  const statements = prepareStatements(database, tables);

  function getRecord(row: unknown): RunGroupRecord<Document> {
    const { key, id, name, document, started_at, ended_at, state, ended_text, heartbeat_ms, ...owner } = recordSchema.parse(row);
    return {
      key,
      head: { id, name, startedAt: started_at, endedAt: ended_at, state, endedBecause: ended_text },
      document: buildDocument(document),
      owner: ownerOf(owner),
      heartbeatMs: heartbeat_ms,
    };
  }

  function saveRunRecord(key: number, run: Run): void {
    statements.saveRun.run({ key, position: run.position, record: JSON.stringify(run) });
  }

  return {
    /** Creates a group and returns its key. */
    create: ({ head, document, runs: planned, owner, nowMs }: NewRunGroup<Document, Run>): number =>
      write(() => {
        const { id, name, startedAt, state } = head;
        const row = { id, name, startedAt, state, document: JSON.stringify(document), ...owner, nowMs };
        const key = Number(statements.insert.run(row).lastInsertRowid);
        for (const run of planned) saveRunRecord(key, run);
        return key;
      }),
    saveRun: (key: number, run: Run, nowMs: number): void =>
      write(() => {
        saveRunRecord(key, run);
        statements.beat.run({ key, nowMs });
      }),
    beat: (key: number, nowMs: number): void => void write(() => statements.beat.run({ key, nowMs })),
    /** Ends a group. Returns false if the group had already ended, because only the first end counts. */
    end: (key: number, ending: RunGroupEnding): boolean => write(() => statements.end.run({ key, ...ending }).changes === 1),
    /** Reopens a group. Returns false if the group is already running, in this process or another one. */
    reopen: (key: number, owner: ProcessIdentity, nowMs: number): boolean =>
      write(() => statements.reopen.run({ key, ...owner, nowMs }).changes === 1),
    /** Removes a group, but not the results of its runs. Does nothing if the group is running. */
    remove: (key: number): void =>
      write(() => {
        statements.removeRuns.run(key);
        statements.remove.run(key);
      }),
    /** Throws the error from `noSuch` if no group has this id. */
    find(id: string): RunGroupRecord<Document> {
      const row = read(() => statements.byId.get(id));
      if (row === undefined) throw noSuch(id);
      return read(() => getRecord(row));
    },
    listUnended: (): RunGroupRecord<Document>[] => read(() => statements.runningStatement.all().map(getRecord)),
    list: (limit: number, offset: number): { groups: RunGroupRecord<Document>[]; total: number } =>
      read(() => ({ groups: statements.newest.all(limit, offset).map(getRecord), total: z.int().parse(statements.total.get()) })),
    runs: (key: number): Run[] =>
      read(() =>
        z
          .array(z.string())
          .parse(statements.runs.all(key))
          .map((text) => makeRun(JSON.parse(text))),
      ),
  };
}

type RunGroupTables = Pick<RunGroupKind<unknown, unknown>, 'table' | 'runsTable' | 'groupColumn'>;

function prepareStatements(database: SqliteDatabase, { table, runsTable, groupColumn }: RunGroupTables) {
  return {
    insert: database.prepare(`
      INSERT INTO ${table} (id, name, document, started_at, state, owner_pid, owner_start, owner_boot, owner_namespace, heartbeat_ms)
      VALUES (@id, @name, @document, @startedAt, @state, @pid, @startTime, @bootId, @pidNamespace, @nowMs)`),
    saveRun: database.prepare(`INSERT OR REPLACE INTO ${runsTable} (${groupColumn}, position, record) VALUES (@key, @position, @record)`),
    beat: database.prepare(`UPDATE ${table} SET heartbeat_ms = @nowMs WHERE key = @key`),
    end: database.prepare(
      `UPDATE ${table} SET state = @state, ended_at = @endedAt, ended_text = @because WHERE key = @key AND ended_at IS NULL`,
    ),
    reopen: database.prepare(`
      UPDATE ${table} SET state = 'running', ended_at = NULL, ended_text = NULL, owner_pid = @pid, owner_start = @startTime,
        owner_boot = @bootId, owner_namespace = @pidNamespace, heartbeat_ms = @nowMs
      WHERE key = @key AND ended_at IS NOT NULL`),
    removeRuns: database.prepare(
      `DELETE FROM ${runsTable} WHERE ${groupColumn} IN (SELECT key FROM ${table} WHERE key = ? AND ended_at IS NOT NULL)`,
    ),
    remove: database.prepare(`DELETE FROM ${table} WHERE key = ? AND ended_at IS NOT NULL`),
    byId: database.prepare(`SELECT * FROM ${table} WHERE id = ?`),
    runningStatement: database.prepare(`SELECT * FROM ${table} WHERE ended_at IS NULL ORDER BY key DESC`),
    newest: database.prepare(`SELECT * FROM ${table} ORDER BY started_at DESC, key DESC LIMIT ? OFFSET ?`),
    total: database.prepare(`SELECT count(*) FROM ${table}`).pluck(),
    runs: database.prepare(`SELECT record FROM ${runsTable} WHERE ${groupColumn} = ? ORDER BY position`).pluck(),
  };
}

export type RunGroupTable<Document, Run extends { readonly position: number }> = ReturnType<typeof createRunGroupTable<Document, Run>>;
