import { z } from 'zod';
import { jobShape, rowsReportShape } from '#contract/agent/jobShape.ts';
import { sampleSchema } from '#core/work/samples/schema.ts';

/** What the engine and its worker threads say to each other. Instants are microseconds of the clock that they share. */

const sharedNumbers = z.custom<Int32Array>((value) => value instanceof Int32Array && value.buffer instanceof SharedArrayBuffer);

export const workerDataSchema = z.strictObject({
  ...jobShape,
  /** Number among the threads of all machines, and how many there are. */
  thread: z.int().min(0),
  threads: z.int().min(1),
  /** Of several machines that make the load, the number of this one. What its threads share is its part of what all may have. */
  generator: z.strictObject({ index: z.int().min(0), count: z.int().min(1) }),
  /** Per step, body length of the first complete answer; −1 before. */
  firstBodyLengths: sharedNumbers,
  /** One number: requests that the run may still start. null without such a limit. */
  budget: sharedNumbers.nullable(),
  /** One number: rows of feeds with `order: once` that journeys have taken, in all threads of this machine together. */
  rowsTaken: sharedNumbers,
  /** One number: journeys of an open model that are on their way, in all threads of this machine together. */
  journeysInFlight: sharedNumbers,
});
export type WorkerData = z.infer<typeof workerDataSchema>;

export const toWorkerSchema = z.discriminatedUnion('type', [
  /** Make the stages that are driven in one go ready (`legsOf` of the plan); answered by `ready`. */
  z.strictObject({ type: z.literal('prepare'), leg: z.int() }),
  /** Begin at `startUs`. `originUs` is second 0 of the run. */
  z.strictObject({ type: z.literal('start'), startUs: z.number(), originUs: z.number() }),
  /** Start no more requests. */
  z.strictObject({ type: z.literal('drain') }),
  /** Give up on what is owed. */
  z.strictObject({ type: z.literal('abort') }),
  /** Send the last window and end. */
  z.strictObject({ type: z.literal('finish') }),
]);
export type ToWorker = z.infer<typeof toWorkerSchema>;

/** How a worker thread was in one second; null where Node or the platform cannot tell. */
export const threadHealthSchema = z.strictObject({
  threadCpu: z.number().nullable(),
  /** Share of the second in which the thread was ready to run and had no core. */
  threadWait: z.number().nullable(),
  eventLoopDelayMs: z.number().nullable(),
  garbageCollectionMs: z.number().nullable(),
  /** How much of the second lay in a stretch in which the thread had no turn for so long that it, its process or its machine stood still. */
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
  /** The first complete answer of this thread. */
  z.strictObject({ type: z.literal('server'), atUs: z.number(), software: z.string().nullable() }),
  /** A request for people to look at. */
  z.strictObject({ type: z.literal('sample'), sample: sampleSchema }),
  /** Markers of items that the target acknowledged, for a count in `stored` of the plan. */
  z.strictObject({ type: z.literal('acknowledged'), count: z.int(), markers: z.array(z.string()) }),
  /** Rows of feeds with `order: once` since the last window: which journeys took, and which the server refused at a step of the plan. */
  z.strictObject({ type: z.literal('rows'), ...rowsReportShape }),
  /** The limit on started requests is reached. */
  z.strictObject({ type: z.literal('budgetSpent') }),
  /** The leg's time is over: from now on only answers are waited for. */
  z.strictObject({ type: z.literal('draining') }),
  /**
   * No request is outstanding any more. `loadEndedUs`: when the last request could have started; `addresses`: requests by address; `silentAddresses`:
   * connection attempts without a response; `leftOut`: links of pages to hosts that are not requested.
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
