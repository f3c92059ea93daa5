import { z } from 'zod';
import { quantitySchema } from './quantity.ts';

/** `waiting`: nothing was read yet. `unavailable`: it cannot be read at all. `lost`: it could, and then no more. */
export const MONITOR_STATES = ['waiting', 'watching', 'lost', 'unavailable', 'ended'] as const;

/** A line across a chart: all the memory there is, the speed of a link. `instance`: of which it is, where there can be several. */
const limitSchema = z.strictObject({ chart: z.string(), value: z.number(), words: z.string(), instance: z.string().optional() });
export type MonitorLimit = z.infer<typeof limitSchema>;

/** What is watched, and how that goes. */
export const monitorInfoSchema = z.strictObject({
  /** Its place among the monitors of the run, from 0. */
  number: z.int(),
  name: z.string(),
  kind: z.string(),
  /** Whether it makes the load, or is what the plan watches: what answers, or what stands in between. */
  role: z.enum(['generator', 'target', 'hop']),
  /** Name of the host that it is on or reached through; null for this computer. */
  host: z.string().nullable(),
  quantities: z.array(quantitySchema),
  limits: z.array(limitSchema),
  state: z.enum(MONITOR_STATES),
  /** Why it is unavailable or was lost, in words; null while all is well. */
  problem: z.string().nullable(),
  /** How exactly its readings lie on the time axis of the run; null where that is not known. */
  errorMs: z.number().nullable(),
});
export type MonitorInfo = z.infer<typeof monitorInfoSchema>;

/** Values of the seconds [second, second + width) of a run, by key (see `Quantity`). What is not known is left out. */
export const monitorPointSchema = z.strictObject({
  second: z.number(),
  width: z.number().positive(),
  values: z.record(z.string(), z.number()),
});
export type MonitorPoint = z.infer<typeof monitorPointSchema>;

/** All that a monitor has read, in columns: `values` holds one number, or null, for each of the seconds. */
export const monitorResultSchema = z.strictObject({
  ...monitorInfoSchema.shape,
  second: z.array(z.number()),
  width: z.array(z.number()),
  values: z.record(z.string(), z.array(z.number().nullable())),
});
export type MonitorResult = z.infer<typeof monitorResultSchema>;
