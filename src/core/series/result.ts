import { z } from 'zod';
import { fitSchema, smallestSchema } from './answers.ts';
import { figuresSchema } from './figures.ts';
import { LEVEL_FIELDS, seriesDocumentSchema } from '#core/plan/schema/series.ts';

/** Version of the JSON result of a series. */
export const SERIES_SCHEMA = 'holdfast.series/1';

export const SERIES_STATES = ['running', 'finished', 'stopped', 'failed', 'interrupted'] as const;

/**
 * What became of one run of a cell. Only `value` is a whole measurement; `aborted` keeps what was measured until then; of `unread` there is a run,
 * and its result could not be read.
 */
export const CELL_STATES = ['waiting', 'running', 'value', 'refused', 'aborted', 'unread', 'notRun'] as const;
export type CellState = (typeof CELL_STATES)[number];

/** What a cell is at while it is `running`. */
export const CELL_PHASES = ['before', 'ready', 'load', 'after', 'rest'] as const;

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
  /** Of a cell that is no value: why, "aborted after 9,990 of 10,000 requests: …". */
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
  /** Median of the variant by the median of the reference. */
  ratio: z.number(),
  judgement: z.enum(DIFFERENCE_JUDGEMENTS),
  text: z.string(),
});
export type Difference = z.infer<typeof differenceSchema>;

const changeSchema = z.strictObject({ ratio: z.number(), judgement: z.enum(DIFFERENCE_JUDGEMENTS) });

/** A value of a factor beside the first one, over all cells that differ in this factor alone; null where there are none. */
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

export const seriesResultSchema = z.strictObject({
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
export type SeriesResult = z.infer<typeof seriesResultSchema>;
