import { z } from 'zod';

/** Facts known only to the engine at the end of a run. Missing for a run whose process was killed. */
export const engineEndFactsSchema = z.strictObject({
  /** Per step, the body length of the first complete response of the run; null without one. */
  firstBodyLengths: z.array(z.int().nullable()),
  /** The Server header of the first complete response. */
  serverSoftware: z.string().nullable(),
  /** Requests by the address to which they were sent: an IP address, or the path of a Unix socket. In results of earlier versions: connections. */
  addresses: z.record(z.string(), z.int().min(0)).default({}),
  /** Attempts to connect that had no result within 250 ms, by address. */
  silentAddresses: z.record(z.string(), z.int().min(0)).optional(),
  /** Links of pages to hosts outside the plan, by host. */
  leftOut: z.record(z.string(), z.int().min(0)).optional(),
  /** Per reached stage: when its first request was due, and when its load ended, without the drain. */
  stages: z.array(z.strictObject({ startedAtSecond: z.number(), endedAtSecond: z.number() })),
  /** Duration of the load, including the drain. */
  endedAtSecond: z.number(),
});
export type EngineEndFacts = z.infer<typeof engineEndFactsSchema>;
