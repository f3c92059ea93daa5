import { z } from 'zod';
import { setOwn } from '#core/base/ownMembers.ts';
import type { StorableDocument } from '#core/plan/hideSecrets.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { RunHead, RunState } from '#core/result/schema.ts';
import type { TimeMs } from '#core/base/units.ts';
import type { RunRow } from '#contract/replies.ts';
import type { ProcessIdentity } from '#engine/processIdentity.ts';
import type { SqliteDatabase } from './database.ts';
import { rowOf, runRecordSchema, timeText, type RunRecord } from './rows.ts';

export interface NewRun {
  readonly head: RunHead;
  /** Address of the first target, for lists. */
  readonly target: string;
  readonly plan: StorableDocument<Plan>;
  readonly owner: ProcessIdentity;
  readonly nowMs: number;
}

export interface RunSearch {
  readonly search: string;
  readonly preset?: string | undefined;
  readonly outcome?: string | undefined;
  readonly limit: number;
  readonly offset: number;
}

/** Columns for lists. Their values are derived from the result. */
export interface RunSummary {
  readonly outcome: RunRow['outcome'];
  readonly sentence: string | null;
  readonly requests: number;
  readonly completedPerSecond: number | null;
  readonly p95: TimeMs;
  readonly sparkline: readonly number[];
  /** Version of the rules that judged the run. */
  readonly rules: number | null;
  /** Failed requests and journeys, and those that the run was to make. */
  readonly failed: number;
  readonly due: number;
}

/** A run with its failures; null if they were not stored. */
type FinishedRun = RunRow & Pick<RunRecord, 'failed' | 'due'>;

export interface RunEnding {
  readonly state: RunState;
  readonly endedAt: string;
  readonly because: RunHead['endedBecause'];
}

/** Maximum number of runs that are read for trends. The newest runs are used. */
const MAX_TREND_RUNS = 2_000;

const LOAD = `(SELECT json_extract(plan, '$.load') FROM run_details WHERE run = runs.key) AS load`;

/** Reads and writes the table `runs`. Every write is one statement and therefore atomic. */
export function createRunTable(database: SqliteDatabase) {
  const statements = prepareStatements(database);

  return {
    /** Creates a run and returns its key. */
    create({ head, target, plan, owner, nowMs }: NewRun): number {
      const key = Number(statements.insert.run({ ...head, ...owner, target, nowMs, ...seriesColumns(head) }).lastInsertRowid);
      statements.insertDetails.run(key, JSON.stringify(plan));
      return key;
    },
    find(id: string): RunRecord | null {
      const record = statements.byId.get(id);
      return record === undefined ? null : runRecordSchema.parse(record);
    },
    /** Lists runs that have not ended, newest first. */
    listUnended(): RunRecord[] {
      return z.array(runRecordSchema).parse(statements.runningStatement.all());
    },
    withoutResult: (): RunRecord[] => z.array(runRecordSchema).parse(statements.withoutResult.all()),
    list(search: RunSearch): { runs: RunRow[]; total: number } {
      const { where, values } = buildConditions(search);
      const total = z.int().parse(database.prepare(`SELECT count(*) FROM runs WHERE ${where}`).pluck().get(values));
      const records = database
        .prepare(`SELECT *, ${LOAD} FROM runs WHERE ${where} ORDER BY started_at DESC, key DESC LIMIT @limit OFFSET @offset`)
        .all({ ...values, limit: search.limit, offset: search.offset });
      // Damaged rows are omitted, because one damaged row must not hide all other rows.
      return { runs: records.flatMap((record) => runRecordSchema.safeParse(record).data ?? []).map(rowOf), total };
    },
    namesOf: (ids: readonly string[]): string[] => z.array(z.string()).parse(statements.namesOf.all(JSON.stringify(ids))),
    /** Returns the newest ended runs with these names, oldest first. */
    endedOfNames(names: readonly string[]): RunRecord[] {
      return z
        .array(runRecordSchema)
        .parse(statements.endedOfNames.all(JSON.stringify(names), MAX_TREND_RUNS))
        .toReversed();
    },
    /** Returns the newest finished runs with this name and target, oldest first. */
    finishedOf(name: string, target: string, limit: number): FinishedRun[] {
      return z
        .array(runRecordSchema)
        .parse(statements.finishedOf.all(name, target, limit))
        .map((record) => ({ ...rowOf(record), failed: record.failed, due: record.due }))
        .toReversed();
    },
    endedOfCell: (seriesId: string, cell: string): RunRecord[] =>
      z.array(runRecordSchema).parse(statements.endedOfCell.all(seriesId, cell)),
    setState(key: number, state: RunState, nowMs: number): void {
      statements.setState.run({ key, state, nowMs });
    },
    progress(key: number, requests: number, completedPerSecond: number | null, nowMs: number): void {
      statements.progress.run({ key, requests, completedPerSecond, nowMs });
    },
    /** Ends a run. Returns false if the run had already ended, because only the first end counts. */
    end(key: number, { state, endedAt, because }: RunEnding): boolean {
      return statements.end.run({ key, state, endedAt, code: because?.code ?? null, text: because?.text ?? null }).changes === 1;
    },
    summarize(key: number, summary: RunSummary): void {
      statements.summarize.run({ ...summary, key, p95: timeText(summary.p95), sparkline: JSON.stringify(summary.sparkline) });
    },
    rename: (id: string, name: string): boolean => statements.rename.run(name, id).changes === 1,
    annotate: (id: string, note: string): boolean => statements.annotate.run(note, id).changes === 1,
    /** Removes an ended run. Returns false if the run does not exist or is active. */
    remove: (id: string, nowMs: number): boolean => statements.remove.run(nowMs, id).changes === 1,
    restore: (id: string): boolean => statements.restore.run(id).changes === 1,
    isNamed: (text: string): boolean => statements.isNamed.get({ text }) === 1,
    /** Permanently deletes runs that were removed before the given time. Returns their number. */
    purge: (beforeMs: number): number => statements.purge.run(beforeMs).changes,
  };
}

function prepareStatements(database: SqliteDatabase) {
  return {
    insert: database.prepare(`
      INSERT INTO runs (id, name, note, preset, target, holdfast_version, started_at, state,
        owner_pid, owner_start, owner_boot, owner_namespace, heartbeat_ms, series_id, series_name, series_cell, series_repeat)
      VALUES (@id, @name, @note, @preset, @target, @holdfastVersion, @startedAt, @state,
        @pid, @startTime, @bootId, @pidNamespace, @nowMs, @seriesId, @seriesName, @seriesCell, @seriesRepeat)`),
    insertDetails: database.prepare('INSERT INTO run_details (run, plan) VALUES (?, ?)'),
    byId: database.prepare('SELECT * FROM runs WHERE id = ? AND deleted_ms IS NULL'),
    runningStatement: database.prepare(
      `SELECT *, ${LOAD} FROM runs WHERE ended_at IS NULL AND deleted_ms IS NULL ORDER BY started_at DESC, key DESC`,
    ),
    withoutResult: database.prepare(`
      SELECT runs.* FROM runs JOIN run_details ON run_details.run = runs.key
      WHERE runs.ended_at IS NOT NULL AND runs.deleted_ms IS NULL AND run_details.result IS NULL`),
    namesOf: database.prepare('SELECT DISTINCT name FROM runs WHERE id IN (SELECT value FROM json_each(?))').pluck(),
    endedOfNames: database.prepare(`
      SELECT * FROM runs WHERE name IN (SELECT value FROM json_each(?)) AND ended_at IS NOT NULL AND deleted_ms IS NULL
      ORDER BY started_at DESC, key DESC LIMIT ?`),
    finishedOf: database.prepare(`
      SELECT *, ${LOAD} FROM runs WHERE name = ? AND target = ? AND state = 'finished' AND deleted_ms IS NULL
      ORDER BY started_at DESC, key DESC LIMIT ?`),
    endedOfCell: database.prepare(`
      SELECT * FROM runs WHERE series_id = ? AND series_cell = ? AND ended_at IS NOT NULL AND deleted_ms IS NULL ORDER BY started_at, key`),
    setState: database.prepare('UPDATE runs SET state = @state, heartbeat_ms = @nowMs WHERE key = @key AND ended_at IS NULL'),
    progress: database.prepare(
      'UPDATE runs SET heartbeat_ms = @nowMs, requests = @requests, completed_per_second = @completedPerSecond WHERE key = @key',
    ),
    end: database.prepare(`
      UPDATE runs SET state = @state, ended_at = @endedAt, ended_code = @code, ended_text = @text WHERE key = @key AND ended_at IS NULL`),
    summarize: database.prepare(`
      UPDATE runs SET outcome = @outcome, sentence = @sentence, requests = @requests, completed_per_second = @completedPerSecond,
        p95 = @p95, sparkline = @sparkline, rules = @rules, failed = @failed, due = @due WHERE key = @key`),
    rename: database.prepare('UPDATE runs SET name = ? WHERE id = ? AND deleted_ms IS NULL'),
    annotate: database.prepare('UPDATE runs SET note = ? WHERE id = ? AND deleted_ms IS NULL'),
    remove: database.prepare('UPDATE runs SET deleted_ms = ? WHERE id = ? AND deleted_ms IS NULL AND ended_at IS NOT NULL'),
    restore: database.prepare('UPDATE runs SET deleted_ms = NULL WHERE id = ? AND deleted_ms IS NOT NULL'),
    isNamed: database
      .prepare(
        `SELECT EXISTS (SELECT 1 FROM run_details WHERE instr(plan, @text) > 0)
          OR EXISTS (SELECT 1 FROM series WHERE instr(document, @text) > 0)
          OR EXISTS (SELECT 1 FROM studies WHERE instr(document, @text) > 0)`,
      )
      .pluck(),
    purge: database.prepare('DELETE FROM runs WHERE deleted_ms < ?'),
  };
}

function seriesColumns({ series }: RunHead): Record<string, string | number | null> {
  return {
    seriesId: series?.id ?? null,
    seriesName: series?.name ?? null,
    seriesCell: series?.cell ?? null,
    seriesRepeat: series?.repeat ?? null,
  };
}

function buildConditions({ search, preset, outcome }: RunSearch): { where: string; values: Record<string, string> } {
  const parts = ['deleted_ms IS NULL'];
  const values: Record<string, string> = {};
  for (const [index, word] of search.split(/\s+/).filter(Boolean).slice(0, 10).entries()) {
    setOwn(values, `word${index}`, `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`);
    const columns = ['name', 'note', 'target', 'preset', 'id'].map((column) => `${column} LIKE @word${index} ESCAPE '\\'`);
    parts.push(`(${columns.join(' OR ')})`);
  }
  if (preset !== undefined) {
    parts.push('preset = @preset');
    values['preset'] = preset;
  }
  if (outcome !== undefined) {
    parts.push('(outcome = @outcome OR state = @outcome)');
    values['outcome'] = outcome;
  }
  return { where: parts.join(' AND '), values };
}
