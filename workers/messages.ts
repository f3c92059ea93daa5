import { z } from 'zod';
import { jobShape, rowsReportShape } from '#contract/agent/frames.ts';
import { packedFeedSchema } from './packedFeed.ts';
import { sampleSchema } from '#core/work/samples/schema.ts';

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
  /** Leaves requests in flight outstanding. */
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
  /** Markers of items that the target acknowledged, for a count in `stored` of the plan. */
  z.strictObject({ type: z.literal('acknowledged'), count: z.int(), markers: z.array(z.string()) }),
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
