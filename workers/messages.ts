import { z } from 'zod';
import { itemsReportShape, jobShape, rowsReportShape } from '#contract/agent/frames.ts';
import { sampleSchema } from '#core/work/samples/schema.ts';
import { feedRowsSchema, type FeedRows } from '#core/plan/schema/feeds.ts';

const shared = <View extends Uint8Array | Uint32Array>(isView: (value: unknown) => value is View) =>
  z.custom<View>((value) => isView(value) && value.buffer instanceof SharedArrayBuffer);

/** The rows of a feed in memory that all threads share. Separate copies would take some hundred bytes per row in each thread. */
export const packedFeedSchema = feedRowsSchema.omit({ rows: true }).extend({
  rowCount: z.int().min(0),
  /** All values in UTF-8, row by row. */
  text: shared((value) => value instanceof Uint8Array),
  /** Position at which each value ends in `text`. */
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

/** Returns the value in a column of a row, where rows are counted from 0; null if there is none. */
export function valueAt({ columns, rowCount, text, ends }: PackedFeed, row: number, name: string): string | null {
  const column = columns.indexOf(name);
  if (column < 0 || row >= rowCount) return null;
  const index = row * columns.length + column;
  const start = ends[index - 1] ?? 0;
  return Buffer.from(text.buffer, start, (ends[index] ?? start) - start).toString();
}

const sharedNumbers = z.custom<Int32Array>((value) => value instanceof Int32Array && value.buffer instanceof SharedArrayBuffer);

export const workerDataSchema = z.strictObject({
  ...jobShape,
  /** Rows of the plan's feeds, by name. All threads read them from the same memory. */
  feeds: z.record(z.string(), packedFeedSchema),
  /** Number of this thread among the threads of all load generators, and their total. */
  thread: z.int().min(0),
  threads: z.int().min(1),
  /** Number of this load generator among several. Its threads share its part of all limits. */
  generator: z.strictObject({ index: z.int().min(0), count: z.int().min(1) }),
  /** Body length of the first complete response of each step; −1 before that response. */
  firstBodyLengths: sharedNumbers,
  /** One number: how many requests may still be sent; null if there is no budget. */
  budget: sharedNumbers.nullable(),
  /** One number: how many rows journeys have taken from feeds with `order: once`, in all threads of this load generator. */
  rowsTaken: sharedNumbers,
  /** One number: how many journeys of an open load model are in progress, in all threads of this load generator. */
  journeysInFlight: sharedNumbers,
});
export type WorkerData = z.infer<typeof workerDataSchema>;

/** Messages from the engine to a load thread. Times are in microseconds on their shared clock. */
export const toWorkerSchema = z.discriminatedUnion('type', [
  /** Makes the thread prepare a leg (`listLegs` of the plan) and reply `ready`. */
  z.strictObject({ type: z.literal('prepare'), leg: z.int() }),
  /** Makes the thread start at `startUs`. `originUs` is second 0 of the run. */
  z.strictObject({ type: z.literal('start'), startUs: z.number(), originUs: z.number() }),
  /** Makes the thread start no more requests. */
  z.strictObject({ type: z.literal('drain') }),
  /** Makes the thread stop at once. Requests in flight count as outstanding. */
  z.strictObject({ type: z.literal('abort') }),
  /** Makes the thread publish its last window and exit. */
  z.strictObject({ type: z.literal('finish') }),
]);
export type ToWorker = z.infer<typeof toWorkerSchema>;

/** Health of a load thread in one second. Values are null if Node or the platform does not report them. */
export const threadHealthSchema = z.strictObject({
  threadCpu: z.number().nullable(),
  /** Share of the second in which the thread was ready to run but had no core. */
  threadWait: z.number().nullable(),
  eventLoopDelayMs: z.number().nullable(),
  garbageCollectionMs: z.number().nullable(),
  /** Time of this second within a standstill, in milliseconds. The thread, its process or its machine did not run then. */
  stoodStillMs: z.number(),
});
export type ThreadHealth = z.infer<typeof threadHealthSchema>;

/** Messages from a load thread to the engine. Times are in microseconds on their shared clock. */
export const fromWorkerSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({
    type: z.literal('window'),
    bytes: z.custom<Uint8Array>((value) => value instanceof Uint8Array),
    health: threadHealthSchema,
  }),
  /** Reports the first complete response of this thread. */
  z.strictObject({ type: z.literal('server'), atUs: z.number(), software: z.string().nullable() }),
  /** Reports a sampled request. */
  z.strictObject({ type: z.literal('sample'), sample: sampleSchema }),
  /** Reports the items with a marker that people sent since the last window. */
  z.strictObject({ type: z.literal('items'), ...itemsReportShape }),
  /**
   * Reports the rows of feeds with `order: once` since the last window: those that journeys took, and those that the server refused at a
   * step.
   */
  z.strictObject({ type: z.literal('rows'), ...rowsReportShape }),
  /** Reports that the request budget is used up. */
  z.strictObject({ type: z.literal('budgetSpent') }),
  /** Reports that the load of the leg has ended and only responses are awaited. */
  z.strictObject({ type: z.literal('draining') }),
  /**
   * Reports that all requests have ended. `loadEndedUs` is the time at which the last request could have started. `addresses` counts
   * requests by address, `silentAddresses` counts connection attempts without a response by address, and `leftOut` counts page links that
   * were left out by host.
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
  z.strictObject({ type: z.literal('failed'), problem: z.strictObject({ code: z.string(), message: z.string(), hint: z.string() }) }),
]);
export type FromWorker = z.infer<typeof fromWorkerSchema>;
