import { z } from 'zod';
import { calls } from '#contract/api.ts';
import { liveSchema } from '#contract/replies.ts';
import { call, problemSchema } from '#contract/rpc/frames.ts';
import { PAPERS } from '#core/presentation/html/style.ts';
import { runHeadSchema } from '#core/result/schema.ts';
import { cellRunSchema } from '#core/series/result.ts';
import { searchDocumentSchema } from '#core/search/result.ts';
import { searchRunSchema } from '#core/search/run.ts';

const nothing = z.strictObject({});
const ofRun = z.strictObject({ runId: z.string() });

/** What the backend asks of the thread that makes results: calls of the contract as they came, and what only the backend itself asks. */
export const questions = {
  'runs.result': calls['runs.result'],
  'runs.points': calls['runs.points'],
  'runs.distribution': calls['runs.distribution'],
  'runs.export': calls['runs.export'],
  'comparisons.make': calls['comparisons.make'],
  'baselines.compare': calls['baselines.compare'],
  'baselines.standings': calls['baselines.standings'],
  'series.export': calls['series.export'],
  'searches.export': calls['searches.export'],
  /** Reads what a run that goes has stored of the seconds [from, before), and keeps it for its result. The first time `from` is 0, then what `before` was. */
  'own.readOn': call(ofRun.extend({ from: z.number(), before: z.number() }), nothing),
  /** Computes the result of a run that has ended and stores it. */
  'own.storeResult': call(ofRun, nothing),
  /** Reads how the times of a long run are spread, before somebody asks. */
  'own.prepareDistribution': call(ofRun, nothing),
  /** The last picture of a run that has ended. */
  'own.live': call(ofRun, liveSchema),
  /** What a series keeps of a run that was one of its cells. */
  'own.cell': call(ofRun, cellRunSchema.pick({ state: true, reason: true, figures: true })),
  /** What a search keeps of one of its runs. */
  'own.searchRun': call(
    ofRun.extend({ document: searchDocumentSchema, of: searchRunSchema.pick({ purpose: true, level: true }) }),
    searchRunSchema.pick({ state: true, reason: true, reading: true, requests: true }),
  ),
  /** The report of a run, a series or a search, as HTML to be printed, and what a file of it is called, without the ending. */
  'own.report': call(
    z.strictObject({
      of: z.union([ofRun, z.strictObject({ seriesId: z.string() }), z.strictObject({ searchId: z.string() })]),
      paper: z.enum(PAPERS),
    }),
    z.strictObject({ html: z.string(), name: z.string() }),
  ),
} as const;

export type Questions = typeof questions;
export type QuestionName = keyof Questions;
export type QuestionInput<N extends QuestionName> = z.output<Questions[N]['input']>;
export type QuestionOutput<N extends QuestionName> = z.output<Questions[N]['output']>;

/** Who answers each question. Inputs are parsed. */
export type Answers = { readonly [N in QuestionName]: (input: QuestionInput<N>) => QuestionOutput<N> | Promise<QuestionOutput<N>> };

/** The backend to its thread. */
export const toThreadSchema = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('question'),
    id: z.int(),
    name: z.string(),
    input: z.unknown(),
    /** How a run has ended whose end the store could not be told of. */
    unstored: runHeadSchema.nullable(),
  }),
  /** Nothing more will be asked. */
  z.strictObject({ type: z.literal('close') }),
]);
export type ToThread = z.infer<typeof toThreadSchema>;

/** The thread to the backend. */
export const fromThreadSchema = z.discriminatedUnion('type', [
  /** `text`: the answer as JSON. */
  z.strictObject({ type: z.literal('answer'), id: z.int(), text: z.string() }),
  /** `stack`: where a fault of Holdfast's own happened; null where the problem is one that can be expected. */
  z.strictObject({ type: z.literal('problem'), id: z.int(), problem: problemSchema, stack: z.string().nullable() }),
  /** For the log. */
  z.strictObject({ type: z.literal('failure'), text: z.string(), problem: problemSchema, stack: z.string().nullable() }),
]);
export type FromThread = z.infer<typeof fromThreadSchema>;

export const threadDataSchema = z.strictObject({ dataDirectory: z.string() });
