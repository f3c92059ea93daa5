import { z } from 'zod';
import { timeSchema } from '#core/statistics/latency.ts';
import { LEVEL_FIELDS, seriesDocumentSchema } from '#core/plan/schema/series.ts';
import { duetResultSchema } from '#core/result/duet.ts';
import { VERDICT_OUTCOMES } from '#core/result/verdict.ts';

/** Schema version of the JSON result of a series. */
export const SERIES_SCHEMA = 'holdfast.series/1';

export const SERIES_PREFIX = 's-';

export const SERIES_STATES = ['running', 'finished', 'stopped', 'failed', 'interrupted'] as const;

/**
 * State of one run of a cell. Only `value` is a complete measurement. `aborted` keeps partial figures. The result of an `unread` run could
 * not be read.
 */
export const CELL_STATES = ['waiting', 'running', 'value', 'refused', 'aborted', 'unread', 'notRun'] as const;
export type CellState = (typeof CELL_STATES)[number];

/** Phase of a `running` cell. `visits`: watched pages are visited before the load starts. */
export const CELL_PHASES = ['before', 'ready', 'visits', 'load', 'after', 'rest'] as const;

export const commandRecordSchema = z.strictObject({
  when: z.enum(['before', 'after']),
  run: z.string(),
  /** Exit code; null if the command was killed or could not be started. */
  exitCode: z.int().nullable(),
  seconds: z.number(),
  /** End of the command's output, without secrets. */
  output: z.string(),
  /** Reason why the command failed, as a sentence; null if it did not. */
  problem: z.string().nullable(),
});
export type CommandRecord = z.infer<typeof commandRecordSchema>;

/** The pause after a cell. `reached`: whether the number of connections to the cell's target returned to what it was before the series. */
export const restSchema = z.strictObject({
  seconds: z.number(),
  baselineSockets: z.int().nullable(),
  /** Number of connections to the target at the end of the pause; null if this computer cannot count them. */
  sockets: z.int().nullable(),
  reached: z.boolean().nullable(),
});
export type RestRecord = z.infer<typeof restSchema>;

/** A criterion of the plan as judged in a run of a cell. */
export const budgetSchema = z.strictObject({
  /** The criterion in words, with its stage if there are several. */
  text: z.string(),
  outcome: z.enum(['passed', 'failed', 'unknown']),
  measured: timeSchema,
  limit: z.number(),
  unit: z.enum(['ms', 'share', 'perSecond', 'apdex']),
});
export type Budget = z.infer<typeof budgetSchema>;

/**
 * Figures of one run in the table of a series, from its result. Counts, rates and times cover the counted stages. `errorAdjustedP95` counts
 * failed requests as "never".
 */
export const figuresSchema = z.strictObject({
  sent: z.int(),
  ok: z.int(),
  failedShare: z.number().nullable(),
  completedPerSecond: z.number().nullable(),
  /** Successful responses per second. */
  okPerSecond: z.number().nullable(),
  /** Complete pages per second; null if the run has none. `servers`: number of servers that responded. */
  pagesPerSecond: z.number().nullable().default(null),
  servers: z.int().nullable().default(null),
  /** Share of cached responses; null if no response reports it, or if caches are not counted. */
  fromCache: z.number().nullable().default(null),
  p50: timeSchema,
  p95: timeSchema,
  p99: timeSchema,
  errorAdjustedP95: timeSchema,
  outcome: z.enum(VERDICT_OUTCOMES),
  /** Each criterion, as judged in the run; empty in older series. */
  budgets: z.array(budgetSchema).default([]),
  overloadedSeconds: z.int(),
  /** Comparison of the variants of a duet; null for other runs. */
  duet: duetResultSchema.nullable().default(null),
  /** Behaviour of the server, as sentences. */
  behaviour: z.array(z.string()).default([]),
});
export type CellFigures = z.infer<typeof figuresSchema>;

/**
 * `passed`: all runs passed. `failed`: a run failed, and none passed. `withinNoise`: some runs passed and others failed. `unclear`: no run
 * failed, and some had too few requests to decide.
 */
export const MACHINE_JUDGEMENTS = ['passed', 'failed', 'withinNoise', 'unclear', 'notMeasured'] as const;

/** The smallest of several machines that passes every criterion. */
export const smallestSchema = z.strictObject({
  /** What the machines have in common that others in the series do not: "10 users, cache on". Empty if there is nothing. */
  condition: z.string(),
  /** Machines in ascending order of size. */
  machines: z.array(
    z.strictObject({
      cell: z.string(),
      name: z.string(),
      judgement: z.enum(MACHINE_JUDGEMENTS),
      /** Number of judged runs. `passed`: number of runs that passed every criterion. */
      runs: z.int(),
      passed: z.int(),
      /** The criterion with the largest used share in the median run; null if none was measured. */
      closest: budgetSchema.omit({ outcome: true }).nullable(),
    }),
  ),
  /** Passing machines that have no smaller passing machine. There are several if their order is unknown. */
  smallest: z.array(z.string()),
  /**
   * The result, then evidence for and against it, without the condition. Each sentence must be clear by itself, because sentences that
   * several conditions share are shown once.
   */
  sentences: z.array(z.string()),
});
export type SmallestMachine = z.infer<typeof smallestSchema>;

/** A line of the time over varied amounts. Times are in ms; intervals are at 95 % for all factors together. */
export const fitSchema = z.strictObject({
  /** See {@link smallestSchema}. */
  condition: z.string(),
  factors: z.array(
    z.strictObject({
      name: z.string(),
      /** Amount for which the cost is given: "1,000 rows". */
      each: z.string(),
      /** Time for the amount in ms. `low` and `high` are the ends of its interval. */
      ms: z.number(),
      low: z.number(),
      high: z.number(),
      /** Whether the interval excludes 0. */
      matters: z.boolean(),
    }),
  ),
  /** Time if all amounts are 0; null if no line is shown. */
  base: z.strictObject({ ms: z.number(), low: z.number(), high: z.number() }).nullable(),
  /** Measured and fitted time of each cell, in ms. */
  cells: z.array(z.strictObject({ cell: z.string(), measuredMs: z.number(), lineMs: z.number().nullable() })),
  /** Largest relative deviation of a cell from the line. */
  worstMiss: z.number().nullable(),
  /** Reason why no line is shown, as a sentence; null otherwise. */
  refused: z.string().nullable(),
  text: z.string(),
});
export type Fit = z.infer<typeof fitSchema>;

export const cellRunSchema = z.strictObject({
  /** Position in the order of the runs, from 0. */
  position: z.int(),
  cell: z.string(),
  repeat: z.int(),
  state: z.enum(CELL_STATES),
  phase: z.enum(CELL_PHASES).nullable(),
  reason: z.string().nullable(),
  /** Id of the run; null if it never started a load. */
  runId: z.string().nullable(),
  figures: figuresSchema.nullable(),
  commands: z.array(commandRecordSchema),
  rest: restSchema.nullable(),
});
export type CellRun = z.infer<typeof cellRunSchema>;

/** Median and extremes of several runs. */
const spreadSchema = z.strictObject({ median: z.number(), least: z.number(), most: z.number() });
export type Spread = z.infer<typeof spreadSchema>;

/** One row of the table. Medians are over those repeats that have a complete measurement. */
export const seriesRowSchema = z.strictObject({
  cell: z.string(),
  variant: z.string().nullable(),
  factors: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  level: z.partialRecord(z.enum(LEVEL_FIELDS), z.number()),
  state: z.enum(CELL_STATES),
  /** Reason why a cell has no value, such as "Aborted after 9,990 of 10,000 requests: …". */
  note: z.string().nullable(),
  /** Number of repeats with a complete measurement. */
  values: z.int(),
  throughput: spreadSchema.nullable(),
  okPerSecond: spreadSchema.nullable(),
  /** Complete pages per second; null if the runs have none. `servers`: number of servers that responded. */
  pagesPerSecond: spreadSchema.nullable().default(null),
  servers: spreadSchema.nullable().default(null),
  /** Share of cached responses; null if the runs do not report it. */
  fromCache: spreadSchema.nullable().default(null),
  /** Response times in ms; null if a repeat has none. */
  p50: spreadSchema.nullable(),
  p95: spreadSchema.nullable(),
  p99: spreadSchema.nullable(),
  failedShare: spreadSchema.nullable(),
  runs: z.array(cellRunSchema),
});
export type SeriesRow = z.infer<typeof seriesRowSchema>;

export const DIFFERENCE_JUDGEMENTS = ['differs', 'withinNoise', 'tooFew'] as const;

/** A variant compared with the first one at the same level. */
export const differenceSchema = z.strictObject({
  level: z.string(),
  reference: z.string(),
  variant: z.string(),
  measure: z.enum(['throughput', 'p95']),
  /** Median of the variant / median of the reference; null if the reference's is 0. */
  ratio: z.number().nullable(),
  judgement: z.enum(DIFFERENCE_JUDGEMENTS),
  text: z.string(),
});
export type Difference = z.infer<typeof differenceSchema>;

/** Change of a figure. `ratio` is null if all runs of the reference have the value 0. */
const changeSchema = z.strictObject({ ratio: z.number().nullable(), judgement: z.enum(DIFFERENCE_JUDGEMENTS) });

/**
 * A value of a factor compared with the first one, over all cells that differ only in this factor. The changes are null if there are no
 * such cells, or if cells with the same factors differ in something else.
 */
export const effectSchema = z.strictObject({
  factor: z.string(),
  reference: z.string(),
  value: z.string(),
  throughput: changeSchema.nullable(),
  p95: changeSchema.nullable(),
  text: z.string(),
});
export type Effect = z.infer<typeof effectSchema>;

export const seriesHeadSchema = z.strictObject({
  id: z.string(),
  name: z.string(),
  startedAt: z.iso.datetime(),
  endedAt: z.iso.datetime().nullable(),
  state: z.enum(SERIES_STATES),
  endedBecause: z.string().nullable(),
});
export type SeriesHead = z.infer<typeof seriesHeadSchema>;

const wholeResultSchema = z.strictObject({
  schema: z.literal(SERIES_SCHEMA),
  series: seriesHeadSchema,
  document: seriesDocumentSchema,
  engine: z.strictObject({ name: z.string(), reason: z.string() }),
  rows: z.array(seriesRowSchema),
  /** Number of runs that ended in any way. `planned`: number of planned runs. */
  done: z.int(),
  planned: z.int(),
  best: z.strictObject({ cell: z.string(), reason: z.string() }).nullable(),
  differences: z.array(differenceSchema),
  /** Effects of the factors. */
  effects: z.array(effectSchema).default([]),
  /** The smallest passing machine for each level and condition. */
  smallest: z.array(smallestSchema).default([]),
  /** What the varied amounts add to the time. */
  fits: z.array(fitSchema).default([]),
  /** Remarks that a reader needs in addition to the figures. */
  notes: z.array(z.string()),
});
export interface SeriesResult extends z.output<typeof wholeResultSchema> {}
export interface SeriesResultInput extends z.input<typeof wholeResultSchema> {}
export const seriesResultSchema: z.ZodType<SeriesResult, SeriesResultInput> = wholeResultSchema;

/** Returns the server's behaviour in a cell, taken from its first complete run. */
export function behaviourOfRow({ runs }: SeriesRow): readonly string[] {
  return runs.find(({ state, figures }) => state === 'value' && figures !== null)?.figures?.behaviour ?? [];
}
