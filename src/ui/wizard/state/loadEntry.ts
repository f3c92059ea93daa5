import { z } from 'zod';
import { SPACINGS } from '#core/plan/schema/load.ts';
import type { NumberEntry } from '#ui/components/numbers.ts';

export const LOAD_MODELS = ['connections', 'users', 'arrivals'] as const;
export type LoadModel = (typeof LOAD_MODELS)[number];

export const ARRIVAL_KINDS = ['constant', 'ramp', 'count', 'steps', 'spike', 'pause'] as const;
export type ArrivalKind = (typeof ARRIVAL_KINDS)[number];

/** Every number that a stage of some model has, by the name that a plan gives it. */
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

/** A number field's content: the number, or what was typed while it is none. */
export const numberEntry = z.union([z.number(), z.string().max(200)]) satisfies z.ZodType<NumberEntry>;

/**
 * A row of the stages. It has room for the numbers of every model and kind: what was entered for one is still there when another
 * was tried. A number that is missing was never asked for.
 */
const stageEntrySchema = z.strictObject({
  id: z.int(),
  name: z.string(),
  counted: z.boolean(),
  /** What ends a stage of connections. */
  end: z.enum(['requests', 'seconds']),
  /** How arrivals come. */
  kind: z.enum(ARRIVAL_KINDS),
  numbers: z.partialRecord(z.enum(STAGE_NUMBERS), numberEntry),
  /** What a plan said about users that no row asks for; it is kept as it was. */
  kept: z.strictObject({ continues: z.boolean().optional(), startUpCounts: z.boolean().optional() }).optional(),
});
export type StageEntry = z.infer<typeof stageEntrySchema>;

export const THINK_KINDS = ['none', 'fixed', 'uniform', 'exponential'] as const;
const THINK_NUMBERS = ['seconds', 'fromSeconds', 'toSeconds', 'meanSeconds'] as const;
export type ThinkNumber = (typeof THINK_NUMBERS)[number];

const thinkTimeEntrySchema = z.strictObject({ kind: z.enum(THINK_KINDS), numbers: z.record(z.enum(THINK_NUMBERS), numberEntry) });
export type ThinkTimeEntry = z.infer<typeof thinkTimeEntrySchema>;

/** The load as it is edited, whichever model is chosen at the moment. */
export const loadEntrySchema = z.strictObject({
  model: z.enum(LOAD_MODELS),
  stages: z.array(stageEntrySchema).readonly(),
  /** null: never asked for, so users who are chosen for the first time get a pause that people make. */
  thinkTime: thinkTimeEntrySchema.nullable(),
  /** What a plan said about the pace of users, which no field asks for; it is kept as it was. */
  paceSeconds: z.number().optional(),
  spacing: z.enum(SPACINGS),
  maxInFlight: numberEntry,
});
export type LoadEntry = z.infer<typeof loadEntrySchema>;

/** The numbers that a stage of this model and kind consists of, in the order in which they are asked. */
export function numbersOf(model: LoadModel, { end, kind, numbers }: StageEntry): readonly StageNumber[] {
  switch (model) {
    case 'connections':
      return ['connections', end];
    case 'users':
      return ['users', 'startUpSeconds', 'seconds', 'restSeconds'];
    case 'arrivals':
      // A limit of its own is rare: it is asked for only where a plan brought one.
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

/** The numbers of each kind of think time. */
export const THINK_NUMBERS_OF: Readonly<Record<ThinkTimeEntry['kind'], readonly ThinkNumber[]>> = {
  none: [],
  fixed: ['seconds'],
  uniform: ['fromSeconds', 'toSeconds'],
  exponential: ['meanSeconds'],
};
