import { z } from 'zod';
import { quantitySchema } from './quantity.ts';

/** `waiting`: no reading yet. `unavailable`: cannot be read. `lost`: was readable before. */
export const MONITOR_STATES = ['waiting', 'watching', 'lost', 'unavailable', 'ended'] as const;

/** A limit line of a chart, such as total memory or the speed of a link. `instance` names the instance if there are several. */
const limitSchema = z.strictObject({ chart: z.string(), value: z.number(), words: z.string(), instance: z.string().optional() });
export type MonitorLimit = z.infer<typeof limitSchema>;

/** A monitor and its state. */
export const monitorInfoSchema = z.strictObject({
  /** Index among the monitors of the run, from 0. */
  number: z.int(),
  name: z.string(),
  kind: z.string(),
  /** Whether the monitored machine sends the load, responds to it, or lies in between. */
  role: z.enum(['generator', 'target', 'hop']),
  /** Host that is monitored, or that the service is reached through; null for this computer. */
  host: z.string().nullable(),
  quantities: z.array(quantitySchema),
  limits: z.array(limitSchema),
  state: z.enum(MONITOR_STATES),
  /** Why it is unavailable or lost; null otherwise. */
  problem: z.string().nullable(),
  /** Error of its times on the time axis of the run; null if unknown. */
  errorMs: z.number().nullable(),
});
export type MonitorInfo = z.infer<typeof monitorInfoSchema>;

/** Values for the seconds [second, second + width) of a run, by key (see `Quantity`). Unknown values are left out. */
export const monitorPointSchema = z.strictObject({
  second: z.number(),
  width: z.number().positive(),
  values: z.record(z.string(), z.number()),
});
export type MonitorPoint = z.infer<typeof monitorPointSchema>;

/** All readings of a monitor in columns; `values` holds one number or null per point. */
export const monitorResultSchema = z.strictObject({
  ...monitorInfoSchema.shape,
  second: z.array(z.number()),
  width: z.array(z.number()),
  values: z.record(z.string(), z.array(z.number().nullable())),
});
export type MonitorResult = z.infer<typeof monitorResultSchema>;
