import { z } from 'zod';

/** What the engine knows at the end of a run that no window holds. Missing for a run whose process was killed. */
export const engineEndFactsSchema = z.strictObject({
  /** Per step, the body length of the first complete response of the run; null where there was none. */
  firstBodyLengths: z.array(z.int().nullable()),
  /** The Server header of the first complete response. */
  serverSoftware: z.string().nullable(),
  /** Requests by the address that they were sent to: an IP address, or the path of a Unix socket. In results of earlier versions: connections. */
  addresses: z.record(z.string(), z.int().min(0)).default({}),
  /** Attempts to connect that had no result within 250 ms, by address. */
  silentAddresses: z.record(z.string(), z.int().min(0)).optional(),
  /** Links of pages to hosts that the plan does not ask, by host. */
  leftOut: z.record(z.string(), z.int().min(0)).optional(),
  /** Per stage that was reached: when its first request was wanted and when its load, without drain, ended. */
  stages: z.array(z.strictObject({ startedAtSecond: z.number(), endedAtSecond: z.number() })),
  /** Length of the load, drain included. */
  endedAtSecond: z.number(),
});
export type EngineEndFacts = z.infer<typeof engineEndFactsSchema>;
