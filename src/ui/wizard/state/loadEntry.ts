import { z } from 'zod';
import { SPACINGS } from '#core/plan/schema/load.ts';
import type { NumberEntry } from '#ui/components/numbers.ts';

export const LOAD_MODELS = ['connections', 'users', 'arrivals'] as const;
export type LoadModel = (typeof LOAD_MODELS)[number];

export const ARRIVAL_KINDS = ['constant', 'ramp', 'count', 'steps', 'spike', 'pause'] as const;
export type ArrivalKind = (typeof ARRIVAL_KINDS)[number];

/** All numbers that stages of any load model have, with their names in plans. */
export const STAGE_NUMBERS = [
  'connections',
  'requests',
  'users',
  'startUpSeconds',
  'restSeconds',
  'seconds',
  'perSecond',
  'fromPerSecond',
  'toPerSecond',
  'arrivals',
  'steps',
  'secondsEach',
  'basePerSecond',
  'peakPerSecond',
  'secondsBefore',
  'rampSeconds',
  'peakSeconds',
  'secondsAfter',
  'maxInFlight',
] as const;
export type StageNumber = (typeof STAGE_NUMBERS)[number];

/** Value of a number field: the number, or the entered text while it is not a number. */
export const numberEntry = z.union([z.number(), z.string().max(200)]) satisfies z.ZodType<NumberEntry>;

/**
 * A stage as a row. It contains the numbers of every load model and kind, so that switching between them loses no entries. A missing
 * number was never shown.
 */
const stageEntrySchema = z.strictObject({
  id: z.int(),
  name: z.string(),
  counted: z.boolean(),
  /** Unit that ends a stage of connections. */
  end: z.enum(['requests', 'seconds']),
  /** Kind of a stage of arrivals. */
  kind: z.enum(ARRIVAL_KINDS),
  numbers: z.partialRecord(z.enum(STAGE_NUMBERS), numberEntry),
  /** User settings of a plan that have no field; kept unchanged. */
  kept: z.strictObject({ continues: z.boolean().optional(), startUpCounts: z.boolean().optional() }).optional(),
});
export type StageEntry = z.infer<typeof stageEntrySchema>;

export const THINK_KINDS = ['none', 'fixed', 'uniform', 'exponential'] as const;
const THINK_NUMBERS = ['seconds', 'fromSeconds', 'toSeconds', 'meanSeconds'] as const;
export type ThinkNumber = (typeof THINK_NUMBERS)[number];

const thinkTimeEntrySchema = z.strictObject({ kind: z.enum(THINK_KINDS), numbers: z.record(z.enum(THINK_NUMBERS), numberEntry) });
export type ThinkTimeEntry = z.infer<typeof thinkTimeEntrySchema>;

/** The edited load with the entries for every load model. */
export const loadEntrySchema = z.strictObject({
  model: z.enum(LOAD_MODELS),
  stages: z.array(stageEntrySchema).readonly(),
  /** null: never shown; users then start with a typical think time. */
  thinkTime: thinkTimeEntrySchema.nullable(),
  /** Pace of users from a plan, which has no field; kept unchanged. */
  paceSeconds: z.number().optional(),
  spacing: z.enum(SPACINGS),
  maxInFlight: numberEntry,
});
export type LoadEntry = z.infer<typeof loadEntrySchema>;

/** Returns the numbers of a stage of this model and kind, in the order of their fields. */
export function numbersOf(model: LoadModel, { end, kind, numbers }: StageEntry): readonly StageNumber[] {
  switch (model) {
    case 'connections':
      return ['connections', end];
    case 'users':
      return ['users', 'startUpSeconds', 'seconds', 'restSeconds'];
    case 'arrivals':
      // A separate limit per stage is rare: its field appears only if the plan has one.
      return [...ARRIVAL_NUMBERS[kind], ...(numbers.maxInFlight === undefined || kind === 'pause' ? [] : (['maxInFlight'] as const))];
    default:
      return model satisfies never;
  }
}

const ARRIVAL_NUMBERS: Readonly<Record<ArrivalKind, readonly StageNumber[]>> = {
  constant: ['perSecond', 'seconds'],
  ramp: ['fromPerSecond', 'toPerSecond', 'seconds'],
  count: ['arrivals', 'seconds'],
  pause: ['seconds'],
  steps: ['fromPerSecond', 'toPerSecond', 'steps', 'secondsEach'],
  spike: ['basePerSecond', 'peakPerSecond', 'secondsBefore', 'rampSeconds', 'peakSeconds', 'secondsAfter'],
};

/** Numbers of each kind of think time. */
export const THINK_NUMBERS_OF: Readonly<Record<ThinkTimeEntry['kind'], readonly ThinkNumber[]>> = {
  none: [],
  fixed: ['seconds'],
  uniform: ['fromSeconds', 'toSeconds'],
  exponential: ['meanSeconds'],
};
