import { z } from 'zod';
import { calls } from '#contract/api.ts';
import { liveSchema } from '#contract/replies.ts';
import { call, problemSchema } from '#contract/rpc/frames.ts';
import { PAPERS } from '#core/presentation/html/style.ts';
import { runHeadSchema } from '#core/result/schema.ts';
import { cellRunSchema } from '#core/series/result.ts';
import { searchDocumentSchema } from '#core/search/result.ts';
import { searchRunSchema } from '#core/search/run.ts';

const noInput = z.strictObject({});
const runInput = z.strictObject({ runId: z.string() });

/** Requests from the backend to the result thread: calls of the contract, and internal ones with the prefix `own.`. */
export const questions = {
  'runs.result': calls['runs.result'],
  'runs.points': calls['runs.points'],
  'runs.range': calls['runs.range'],
  'runs.distribution': calls['runs.distribution'],
  'runs.export': calls['runs.export'],
  'comparisons.make': calls['comparisons.make'],
  'baselines.compare': calls['baselines.compare'],
  'baselines.standings': calls['baselines.standings'],
  'series.export': calls['series.export'],
  'searches.export': calls['searches.export'],
  'sealed.verify': calls['sealed.verify'],
  /**
   * Reads the windows from `from` to before `before` of an active run, and keeps their sums for the run's result. `from` is 0 in the first
   * call, then the last `before`.
   */
  'own.readOn': call(runInput.extend({ from: z.number(), before: z.number() }), noInput),
  'own.storeResult': call(runInput, noInput),
  /** Reads the time distribution of a long run in advance. */
  'own.prepareDistribution': call(runInput, noInput),
  'own.live': call(runInput, liveSchema),
  'own.cell': call(runInput, cellRunSchema.pick({ state: true, reason: true, figures: true })),
  'own.searchRun': call(
    runInput.extend({ document: searchDocumentSchema, of: searchRunSchema.pick({ purpose: true, level: true }) }),
    searchRunSchema.pick({ state: true, reason: true, reading: true, requests: true }),
  ),
  /** Returns the report of a run, series or search as printable HTML, and the file name without extension. */
  'own.report': call(
    z.strictObject({
      of: z.union([runInput, z.strictObject({ seriesId: z.string() }), z.strictObject({ searchId: z.string() })]),
      paper: z.enum(PAPERS),
      onePage: z.boolean().optional(),
    }),
    z.strictObject({ html: z.string(), name: z.string() }),
  ),
} as const;

export type Questions = typeof questions;
export type QuestionName = keyof Questions;
export type QuestionInput<N extends QuestionName> = z.output<Questions[N]['input']>;
export type QuestionOutput<N extends QuestionName> = z.output<Questions[N]['output']>;

/** The handler of each request. The handler's input has already been parsed. */
export type ResultReaders = { readonly [N in QuestionName]: (input: QuestionInput<N>) => QuestionOutput<N> | Promise<QuestionOutput<N>> };

export const toThreadSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('question'),
    id: z.int(),
    name: z.string(),
    input: z.unknown(),
    /** The head of a run whose end could not be stored. */
    unstored: runHeadSchema.nullable(),
  }),
  /** Ends the thread. No request follows this message. */
  z.strictObject({ type: z.literal('close') }),
]);
export type ToThread = z.infer<typeof toThreadSchema>;

export const fromThreadSchema = z.discriminatedUnion('type', [
  /** `text` is the reply as JSON. */
  z.strictObject({ type: z.literal('reply'), id: z.int(), text: z.string() }),
  /** `stack` is the stack trace of an internal error; null for an expected problem. */
  z.strictObject({ type: z.literal('problem'), id: z.int(), problem: problemSchema, stack: z.string().nullable() }),
  z.strictObject({ type: z.literal('failure'), text: z.string(), problem: problemSchema, stack: z.string().nullable() }),
]);
export type FromThread = z.infer<typeof fromThreadSchema>;

export const threadDataSchema = z.strictObject({ dataDirectory: z.string(), version: z.string() });
