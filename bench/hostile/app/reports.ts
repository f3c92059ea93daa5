import { z } from 'zod';

/** Channel on which the backend's threads report their state. */
export const THREAD_CHANNEL = 'holdfast-hostile-threads';

export const threadReportSchema = z.strictObject({
  thread: z.int(),
  isMain: z.boolean(),
  /** Longest time, since the last report, for which the thread's own work blocked its event loop. */
  stallMs: z.number(),
  /** Longest time for which waiting blocked the event loop: for a disk, or for V8 threads that had no processor. */
  blockedMs: z.number(),
  /** Longest time for which the thread waited for a processor between two turns of its event loop. */
  hungerMs: z.number(),
  /** Members that were added to built-in prototypes. */
  spoilt: z.array(z.string()),
  /** Errors that were not caught. */
  problems: z.array(z.string()),
});
export type ThreadReport = z.infer<typeof threadReportSchema>;

export const memorySchema = z.strictObject({ rssBytes: z.number(), heapBytes: z.number(), externalBytes: z.number() });
export type Memory = z.infer<typeof memorySchema>;

/** Messages from the backend's process. */
export const fromAppSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('frame'), text: z.string() }),
  /** A {@link ThreadReport} as JSON. */
  z.strictObject({ type: z.literal('thread'), report: z.string() }),
  z.strictObject({ type: z.literal('memory'), memory: memorySchema }),
  z.strictObject({ type: z.literal('closed') }),
]);
export type FromApp = z.infer<typeof fromAppSchema>;

/** Messages to the backend's process. `memory` asks it to collect garbage and report its memory. */
export const toAppSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('frame'), text: z.string() }),
  z.strictObject({ type: z.literal('memory') }),
  z.strictObject({ type: z.literal('close') }),
]);
export type ToApp = z.infer<typeof toAppSchema>;
