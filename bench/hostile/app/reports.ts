import { z } from 'zod';

/** Where the threads of the backend tell how they are. */
export const THREAD_CHANNEL = 'holdfast-hostile-threads';

export const threadReportSchema = z.strictObject({
  thread: z.int(),
  isMain: z.boolean(),
  /** Since the last report, the longest time in which its event loop stood because of work of its own. */
  stallMs: z.number(),
  /** The same of waiting: for a disk, or for threads of V8 that had no processor. */
  blockedMs: z.number(),
  /** Longest wait for a processor between two turns of its event loop. */
  hungerMs: z.number(),
  /** Members of a prototype that were not there at first. */
  spoilt: z.array(z.string()),
  /** Errors that nobody caught. */
  problems: z.array(z.string()),
});
export type ThreadReport = z.infer<typeof threadReportSchema>;

export const memorySchema = z.strictObject({ rssBytes: z.number(), heapBytes: z.number(), externalBytes: z.number() });
export type Memory = z.infer<typeof memorySchema>;

/** From the process of the backend. */
export const fromAppSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('ready') }),
  z.strictObject({ type: z.literal('frame'), text: z.string() }),
  /** A {@link ThreadReport} as JSON. */
  z.strictObject({ type: z.literal('thread'), report: z.string() }),
  z.strictObject({ type: z.literal('memory'), memory: memorySchema }),
  z.strictObject({ type: z.literal('closed') }),
]);
export type FromApp = z.infer<typeof fromAppSchema>;

/** To the process of the backend. `memory`: collect garbage, and tell. */
export const toAppSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('frame'), text: z.string() }),
  z.strictObject({ type: z.literal('memory') }),
  z.strictObject({ type: z.literal('close') }),
]);
export type ToApp = z.infer<typeof toAppSchema>;
