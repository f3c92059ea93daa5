import { z } from 'zod';
import type { ProcessIdentity } from '#engine/processIdentity.ts';
import { ENDINGS, RUN_STATES, type RunHead } from '#core/result/schema.ts';
import { loadSchema } from '#core/plan/schema/load.ts';
import { sizeOf } from '#core/work/load/stages.ts';
import { parseJson } from '#core/base/json.ts';
import type { TimeMs } from '#core/base/units.ts';
import type { RunRow } from '#contract/replies.ts';
import { VERDICT_OUTCOMES } from '#core/result/verdict.ts';

/** The columns that identify the process that is writing a row. */
export const OWNER_COLUMNS = { owner_pid: z.int(), owner_start: z.string(), owner_boot: z.string(), owner_namespace: z.string() };
type Owned = z.output<z.ZodObject<typeof OWNER_COLUMNS>>;

export function ownerOf(record: Owned): ProcessIdentity {
  return { pid: record.owner_pid, startTime: record.owner_start, bootId: record.owner_boot, pidNamespace: record.owner_namespace };
}

/** A row of the table `runs`. Rows are parsed, because any program may have written the file. */
export const runRecordSchema = z.object({
  key: z.int(),
  id: z.string(),
  name: z.string(),
  note: z.string(),
  preset: z.string().nullable(),
  target: z.string(),
  holdfast_version: z.string(),
  started_at: z.string(),
  ended_at: z.string().nullable(),
  state: z.enum(RUN_STATES),
  ended_code: z.enum(ENDINGS).nullable(),
  ended_text: z.string().nullable(),
  ...OWNER_COLUMNS,
  heartbeat_ms: z.number(),
  outcome: z.enum(VERDICT_OUTCOMES).nullable(),
  sentence: z.string().nullable(),
  requests: z.int(),
  completed_per_second: z.number().nullable(),
  p95: z.string().nullable(),
  sparkline: z.string(),
  rules: z.int().nullable(),
  failed: z.int().nullable(),
  due: z.int().nullable(),
  series_id: z.string().nullable(),
  series_name: z.string().nullable(),
  series_cell: z.string().nullable(),
  series_repeat: z.int().nullable(),
  /** The plan's load, if the query selects it. */
  load: z.string().nullish(),
});
export type RunRecord = z.infer<typeof runRecordSchema>;

const sparklineSchema = z.array(z.number());

export function headOf(record: RunRecord): RunHead {
  return {
    id: record.id,
    name: record.name,
    note: record.note,
    preset: record.preset,
    startedAt: record.started_at,
    endedAt: record.ended_at,
    state: record.state,
    endedBecause: record.ended_code === null ? null : { code: record.ended_code, text: record.ended_text ?? '' },
    holdfastVersion: record.holdfast_version,
    ...seriesOfRecord(record),
  };
}

function seriesOfRecord({
  series_id: id,
  series_name: name,
  series_cell: cell,
  series_repeat: repeat,
}: RunRecord): Pick<RunHead, 'series'> {
  return id === null ? {} : { series: { id, name: name ?? '', cell: cell ?? '', repeat: repeat ?? 1 } };
}

export function rowOf(record: RunRecord): RunRow {
  return {
    ...headOf(record),
    target: record.target,
    load: sizeFrom(record.load ?? null),
    outcome: record.outcome,
    sentence: record.sentence,
    requests: record.requests,
    completedPerSecond: record.completed_per_second,
    p95Ms: timeFrom(record.p95),
    sparkline: sparklineSchema.safeParse(parseJson(record.sparkline)).data ?? [],
    rules: record.rules,
  };
}

/** Returns the load size, or null for a load that this version cannot read. */
function sizeFrom(load: string | null): RunRow['load'] {
  const parsed = loadSchema.safeParse(parseJson(load ?? ''));
  return parsed.success ? sizeOf(parsed.data) : null;
}

/** Returns a time as text for its column, because a time can be a number, "never" or null, and STRICT columns have one type. */
export function timeText(time: TimeMs): string | null {
  return time === null ? null : String(time);
}

function timeFrom(text: string | null): TimeMs {
  if (text === null || text === 'never') return text;
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}

/** Functions that run work on a table. They convert errors to HoldfastErrors. */
export interface StoreAccess {
  /** Runs work in one transaction. Committed data survives a power failure. */
  readonly write: <Result>(work: () => Result) => Result;
  /**
   * Runs work during a load, without waiting for the disk. A power failure may lose the last seconds; the next `write` makes them
   * permanent.
   */
  readonly writeAlong: (work: () => void) => void;
  readonly read: <Result>(work: () => Result) => Result;
}
