import { z } from 'zod';
import { itemsReportShape, jobShape, rowsReportShape } from '#contract/agent/frames.ts';
import { sampleSchema } from '#core/work/samples/schema.ts';
import { feedRowsSchema, type FeedRows } from '#core/plan/schema/feeds.ts';

const shared = <View extends Uint8Array | Uint32Array>(isView: (value: unknown) => value is View) =>
  z.custom<View>((value) => isView(value) && value.buffer instanceof SharedArrayBuffer);

/** The rows of a feed in memory that all threads share: a thread that had rows of its own would take some hundred bytes for each. */
export const packedFeedSchema = feedRowsSchema.omit({ rows: true }).extend({
  rowCount: z.int().min(0),
  /** All values in UTF-8, row by row. */
  text: shared((value) => value instanceof Uint8Array),
  /** Where each value ends in `text`. */
  ends: shared((value) => value instanceof Uint32Array),
});
type PackedFeed = z.infer<typeof packedFeedSchema>;

export function packFeed({ columns, rows, order }: FeedRows): PackedFeed {
  const ends = new Uint32Array(new SharedArrayBuffer(4 * rows.length * columns.length));
  let size = 0;
  for (const [row, values] of rows.entries())
    for (let column = 0; column < columns.length; column++) {
      size += Buffer.byteLength(values[column] ?? '');
      ends[row * columns.length + column] = size;
    }
  const text = new Uint8Array(new SharedArrayBuffer(size));
  const bytes = Buffer.from(text.buffer);
  let at = 0;
  for (const values of rows) for (let column = 0; column < columns.length; column++) at += bytes.write(values[column] ?? '', at);
  return { columns: [...columns], order, rowCount: rows.length, text, ends };
}

/** The value in a column of a row, counted from 0; null where there is none. */
export function valueAt({ columns, rowCount, text, ends }: PackedFeed, row: number, name: string): string | null {
  const column = columns.indexOf(name);
  if (column < 0 || row >= rowCount) return null;
  const index = row * columns.length + column;
  const start = ends[index - 1] ?? 0;
  return Buffer.from(text.buffer, start, (ends[index] ?? start) - start).toString();
}

/** Messages between the engine and its load threads. Times are microseconds on their shared clock. */

const sharedNumbers = z.custom<Int32Array>((value) => value instanceof Int32Array && value.buffer instanceof SharedArrayBuffer);

export const workerDataSchema = z.strictObject({
  ...jobShape,
  /** Rows of the plan's feeds, by name, which all threads read from the same memory. */
  feeds: z.record(z.string(), packedFeedSchema),
  /** Number of this thread among the threads of all load generators, and their count. */
  thread: z.int().min(0),
  threads: z.int().min(1),
  /** Number of this load generator among several. Its threads share its part of all limits. */
  generator: z.strictObject({ index: z.int().min(0), count: z.int().min(1) }),
  /** Body length of the first complete response per step; −1 before. */
  firstBodyLengths: sharedNumbers,
  /** One number: remaining request budget; null without a budget. */
  budget: sharedNumbers.nullable(),
  /** One number: rows of feeds with `order: once` taken by journeys, in all threads of this load generator. */
  rowsTaken: sharedNumbers,
  /** One number: journeys of an open load model in progress, in all threads of this load generator. */
  journeysInFlight: sharedNumbers,
});
export type WorkerData = z.infer<typeof workerDataSchema>;

export const toWorkerSchema = z.discriminatedUnion('type', [
  /** Prepares a leg (`listLegs` of the plan); the thread replies `ready`. */
  z.strictObject({ type: z.literal('prepare'), leg: z.int() }),
  /** Starts at `startUs`. `originUs` is second 0 of the run. */
  z.strictObject({ type: z.literal('start'), startUs: z.number(), originUs: z.number() }),
  /** Starts no more requests. */
  z.strictObject({ type: z.literal('drain') }),
  /** Stops at once. Requests in flight count as outstanding. */
  z.strictObject({ type: z.literal('abort') }),
  /** Publishes the last window and exits. */
  z.strictObject({ type: z.literal('finish') }),
]);
export type ToWorker = z.infer<typeof toWorkerSchema>;

/** Health of a load thread in one second; null where Node or the platform reports none. */
export const threadHealthSchema = z.strictObject({
  threadCpu: z.number().nullable(),
  /** Share of the second in which the thread was ready to run and had no core. */
  threadWait: z.number().nullable(),
  eventLoopDelayMs: z.number().nullable(),
  garbageCollectionMs: z.number().nullable(),
  /** Milliseconds of this second within a standstill, in which the thread, its process or its machine did not run. */
  stoodStillMs: z.number(),
});
export type ThreadHealth = z.infer<typeof threadHealthSchema>;

export const fromWorkerSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({
    type: z.literal('window'),
    bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
    health: threadHealthSchema,
  }),
  /** The first complete response of this thread. */
  z.strictObject({ type: z.literal('server'), atUs: z.number(), software: z.string().nullable() }),
  /** A sample request. */
  z.strictObject({ type: z.literal('sample'), sample: sampleSchema }),
  /** Items with a marker that people sent since the last window. */
  z.strictObject({ type: z.literal('items'), ...itemsReportShape }),
  /** Rows of feeds with `order: once` since the last window: those taken by journeys, and those refused by the server at a step. */
  z.strictObject({ type: z.literal('rows'), ...rowsReportShape }),
  /** The request budget is spent. */
  z.strictObject({ type: z.literal('budgetSpent') }),
  /** The load of the leg has ended; only responses are awaited. */
  z.strictObject({ type: z.literal('draining') }),
  /**
   * All requests have ended. `loadEndedUs`: when the last request could have started; `addresses`: requests by address; `silentAddresses`: connection
   * attempts without a response; `leftOut`: skipped page links by host.
   */
  z.strictObject({
    type: z.literal('legEnded'),
    loadEndedUs: z.number(),
    endedUs: z.number(),
    addresses: z.record(z.string(), z.int()),
    silentAddresses: z.record(z.string(), z.int()),
    leftOut: z.record(z.string(), z.int()),
  }),
  z.strictObject({ type: z.literal('finished') }),
  z.strictObject({
    type: z.literal('failed'),
    problem: z.strictObject({ code: z.string(), message: z.string(), hint: z.string() }),
  }),
]);
export type FromWorker = z.infer<typeof fromWorkerSchema>;
