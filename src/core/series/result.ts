import { z } from 'zod';
import { VERDICT_OUTCOMES } from '#core/result/schema.ts';
import { timeSchema } from '#core/statistics/latencySummary.ts';
import { LEVEL_FIELDS, seriesDocumentSchema } from '#core/plan/schema/series.ts';

/** Version of the JSON result of a series. */
export const SERIES_SCHEMA = 'holdfast.series/1';

/** Ids of series begin with it. */
export const SERIES_PREFIX = 's-';

export const SERIES_STATES = ['running', 'finished', 'stopped', 'failed', 'interrupted'] as const;

/**
 * What became of one run of a cell. Only `value` is a whole measurement; `aborted` keeps what was measured until then; of `unread` there is a run,
 * and its result could not be read.
 */
export const CELL_STATES = ['waiting', 'running', 'value', 'refused', 'aborted', 'unread', 'notRun'] as const;
export type CellState = (typeof CELL_STATES)[number];

/** What a cell is at while it is `running`. `visits`: its load starts once the watched pages were seen without it. */
export const CELL_PHASES = ['before', 'ready', 'visits', 'load', 'after', 'rest'] as const;

export const commandRecordSchema = z.strictObject({
  when: z.enum(['before', 'after']),
  run: z.string(),
  /** null when it was killed, because it took too long or the series was stopped, or could not be started. */
  exitCode: z.int().nullable(),
  seconds: z.number(),
  /** The end of what it wrote, secrets taken out. */
  output: z.string(),
  /** Why it failed, in a sentence; null when it did not. */
  problem: z.string().nullable(),
});
export type CommandRecord = z.infer<typeof commandRecordSchema>;

/** The pause after a cell, and whether connections to its target were as few as before the series. */
export const restSchema = z.strictObject({
  seconds: z.number(),
  baselineSockets: z.int().nullable(),
  /** Connections to the target when the pause ended; null where this computer cannot tell. */
  sockets: z.int().nullable(),
  reached: z.boolean().nullable(),
});
export type RestRecord = z.infer<typeof restSchema>;

/** A limit of the plan, as a run of a cell was judged by it. */
export const budgetSchema = z.strictObject({
  /** In words, with its stage where there are several. */
  text: z.string(),
  outcome: z.enum(['holds', 'breaks', 'unknown']),
  measured: timeSchema,
  limit: z.number(),
  unit: z.enum(['ms', 'share', 'perSecond', 'apdex']),
});
export type Budget = z.infer<typeof budgetSchema>;

/**
 * What a table of a series shows of one run, taken from its result as it is. Counts, rates and times are of the counted stages, as
 * everywhere; a percentile of `errorAdjusted` takes failed requests as "never".
 */
export const figuresSchema = z.strictObject({
  sent: z.int(),
  ok: z.int(),
  failedShare: z.number().nullable(),
  completedPerSecond: z.number().nullable(),
  /** Good answers a second. */
  okPerSecond: z.number().nullable(),
  /** Complete pages a second, and servers that answered; null where the run tells of none. */
  pagesPerSecond: z.number().nullable().default(null),
  servers: z.int().nullable().default(null),
  /** Share of the answers that came from a cache; null where none of them says it, or nobody asks. */
  fromCache: z.number().nullable().default(null),
  p50: timeSchema,
  p95: timeSchema,
  p99: timeSchema,
  errorAdjustedP95: timeSchema,
  outcome: z.enum(VERDICT_OUTCOMES),
  /** Each limit of the plan as it was judged; empty in older series. */
  budgets: z.array(budgetSchema).default([]),
  sickSeconds: z.int(),
  /** How the server behaved, in sentences. */
  behaviour: z.array(z.string()).default([]),
});
export type CellFigures = z.infer<typeof figuresSchema>;

/** `withinNoise`: some of its runs kept every limit and others missed one. `misses`: some or all missed one, and none kept all. `unclear`: none missed a limit, and of some it is not known, for too few requests were made to tell. */
export const MACHINE_JUDGEMENTS = ['meets', 'misses', 'withinNoise', 'unclear', 'notMeasured'] as const;

/** Which of several machines is the smallest that keeps every limit of the plan. */
export const smallestSchema = z.strictObject({
  /** What is alike for these machines and differs elsewhere in the series, "10 users, cache on"; '' where nothing does. */
  condition: z.string(),
  /** From small to large. */
  machines: z.array(
    z.strictObject({
      cell: z.string(),
      name: z.string(),
      judgement: z.enum(MACHINE_JUDGEMENTS),
      /** Runs that were judged, and those of them that kept every limit. */
      runs: z.int(),
      kept: z.int(),
      /** The limit of which most is used, in the run in the middle; null where none was measured. */
      closest: budgetSchema.omit({ outcome: true }).nullable(),
    }),
  ),
  /** Cells of the machines that keep every limit and have none below them that does; several where it cannot be said which is smaller. */
  smallest: z.array(z.string()),
  /** The answer, then what speaks for and against it, without the condition. Each can stand by itself: what is alike under several conditions is shown once. */
  sentences: z.array(z.string()),
});
export type Smallest = z.infer<typeof smallestSchema>;

/** A straight line of the time through amounts that were varied. Times are in ms, intervals at 95 % for all factors together. */
export const fitSchema = z.strictObject({
  /** As of {@link smallestSchema}. */
  condition: z.string(),
  factors: z.array(
    z.strictObject({
      name: z.string(),
      /** What its cost is told for: "1,000 rows". */
      each: z.string(),
      /** Of that much: the time it takes, and the ends of its interval. */
      ms: z.number(),
      low: z.number(),
      high: z.number(),
      /** Whether the interval leaves out 0. */
      matters: z.boolean(),
    }),
  ),
  /** What is left where all of them are none; null where no line is told. */
  base: z.strictObject({ ms: z.number(), low: z.number(), high: z.number() }).nullable(),
  /** The measured time of each cell, and that of the line. */
  cells: z.array(z.strictObject({ cell: z.string(), measuredMs: z.number(), lineMs: z.number().nullable() })),
  /** How far the line is from the cell that it misses most, as a part of the line's time. */
  worstMiss: z.number().nullable(),
  /** Why no line is told, in a sentence; null where one is. */
  refused: z.string().nullable(),
  text: z.string(),
});
export type Fit = z.infer<typeof fitSchema>;

export const cellRunSchema = z.strictObject({
  /** Place in the order of the runs, from 0. */
  position: z.int(),
  cell: z.string(),
  repeat: z.int(),
  state: z.enum(CELL_STATES),
  phase: z.enum(CELL_PHASES).nullable(),
  reason: z.string().nullable(),
  /** null when it never began to put load on. */
  runId: z.string().nullable(),
  figures: figuresSchema.nullable(),
  commands: z.array(commandRecordSchema),
  rest: restSchema.nullable(),
});
export type CellRun = z.infer<typeof cellRunSchema>;

/** The middle of several runs, and their ends. */
const spreadSchema = z.strictObject({ median: z.number(), least: z.number(), most: z.number() });
export type Spread = z.infer<typeof spreadSchema>;

/** One row of the table. Medians are over the repeats that are whole measurements. */
export const seriesRowSchema = z.strictObject({
  cell: z.string(),
  variant: z.string().nullable(),
  factors: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
  level: z.partialRecord(z.enum(LEVEL_FIELDS), z.number()),
  state: z.enum(CELL_STATES),
  /** Of a cell that is no value: why, "Aborted after 9,990 of 10,000 requests: …". */
  note: z.string().nullable(),
  /** Repeats that are whole measurements. */
  values: z.int(),
  throughput: spreadSchema.nullable(),
  okPerSecond: spreadSchema.nullable(),
  /** Complete pages a second, and servers that answered; null where the runs tell of none. */
  pagesPerSecond: spreadSchema.nullable().default(null),
  servers: spreadSchema.nullable().default(null),
  /** Share of the answers that came from a cache; null where the runs do not tell. */
  fromCache: spreadSchema.nullable().default(null),
  /** Response times in ms; null where a repeat has none. */
  p50: spreadSchema.nullable(),
  p95: spreadSchema.nullable(),
  p99: spreadSchema.nullable(),
  failedShare: spreadSchema.nullable(),
  runs: z.array(cellRunSchema),
});
export type SeriesRow = z.infer<typeof seriesRowSchema>;

export const DIFFERENCE_JUDGEMENTS = ['differs', 'withinNoise', 'tooFew'] as const;

/** A variant beside the first one at the same level. */
export const differenceSchema = z.strictObject({
  level: z.string(),
  reference: z.string(),
  variant: z.string(),
  measure: z.enum(['throughput', 'p95']),
  /** Median of the variant by the median of the reference; null where that is 0. */
  ratio: z.number().nullable(),
  judgement: z.enum(DIFFERENCE_JUDGEMENTS),
  text: z.string(),
});
export type Difference = z.infer<typeof differenceSchema>;

/** `ratio`: null where all runs of the reference have 0. */
const changeSchema = z.strictObject({ ratio: z.number().nullable(), judgement: z.enum(DIFFERENCE_JUDGEMENTS) });

/**
 * A value of a factor beside the first one, over all cells that differ in this factor alone; null where there are none, or where cells with the
 * same factors differ in something else.
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
  /** Runs that came to an end of any kind, of all that were planned. */
  done: z.int(),
  planned: z.int(),
  best: z.strictObject({ cell: z.string(), reason: z.string() }).nullable(),
  differences: z.array(differenceSchema),
  /** What each factor changes. */
  effects: z.array(effectSchema).default([]),
  /** The smallest machine that is enough, for each level and condition. */
  smallest: z.array(smallestSchema).default([]),
  /** What the amounts that were varied add to the time. */
  fits: z.array(fitSchema).default([]),
  /** What a reader must know beside the figures. */
  notes: z.array(z.string()),
});
export interface SeriesResult extends z.output<typeof wholeResultSchema> {}
export interface SeriesResultInput extends z.input<typeof wholeResultSchema> {}
export const seriesResultSchema: z.ZodType<SeriesResult, SeriesResultInput> = wholeResultSchema;

/** How the server of a cell behaved: as the first whole run of it tells. */
export function behaviourOfRow({ runs }: SeriesRow): readonly string[] {
  return runs.find(({ state, figures }) => state === 'value' && figures !== null)?.figures?.behaviour ?? [];
}
