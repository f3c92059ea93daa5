import { z } from 'zod';
import { getOwn, setOwn } from '#core/base/ownMembers.ts';
import { DEFAULT_MAX_IN_FLIGHT, type Load, SPACINGS, type Stage, type ThinkTime } from '#core/plan/schema/load.ts';
import type { NumberEntry } from '#ui/components/numbers.ts';

export const LOAD_MODELS = ['connections', 'users', 'arrivals'] as const;
export type LoadModel = (typeof LOAD_MODELS)[number];

export const ARRIVAL_KINDS = ['constant', 'ramp', 'count', 'steps', 'spike', 'pause'] as const;
export type ArrivalKind = (typeof ARRIVAL_KINDS)[number];

/** All numbers that stages of any load model have, with their names in plans. */
const STAGE_NUMBERS = [
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

/** Value of a number field: the number, or the entered text as long as it is not a number. */
export const numberEntry = z.union([z.number(), z.string().max(200)]) satisfies z.ZodType<NumberEntry>;

/**
 * A stage as a row. It holds the numbers for every load model and kind of stage, so that switching between these loses no entries. A number
 * that is missing has never been shown.
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
  /** User settings of a plan that have no field. They are not changed. */
  kept: z.strictObject({ continues: z.boolean().optional(), startUpCounts: z.boolean().optional() }).optional(),
});
export type StageEntry = z.infer<typeof stageEntrySchema>;

export const THINK_KINDS = ['none', 'fixed', 'uniform', 'exponential'] as const;
const THINK_NUMBERS = ['seconds', 'fromSeconds', 'toSeconds', 'meanSeconds'] as const;
type ThinkNumber = (typeof THINK_NUMBERS)[number];

const thinkTimeEntrySchema = z.strictObject({ kind: z.enum(THINK_KINDS), numbers: z.record(z.enum(THINK_NUMBERS), numberEntry) });
export type ThinkTimeEntry = z.infer<typeof thinkTimeEntrySchema>;

/** The load that is edited, with the entries for every load model. */
export const loadEntrySchema = z.strictObject({
  model: z.enum(LOAD_MODELS),
  stages: z.array(stageEntrySchema).readonly(),
  /** Think time; null if it has never been shown. In that case, users start with a typical think time. */
  thinkTime: thinkTimeEntrySchema.nullable(),
  /** Pace of users; an empty text or undefined for none. */
  paceSeconds: numberEntry.optional(),
  spacing: z.enum(SPACINGS),
  maxInFlight: numberEntry,
});
export type LoadEntry = z.infer<typeof loadEntrySchema>;

/** Returns the names of the numbers that a stage of this load model and kind has, in the order of their fields. */
export function listNumbers(model: LoadModel, { end, kind, numbers }: StageEntry): readonly StageNumber[] {
  switch (model) {
    case 'connections':
      return ['connections', end];
    case 'users':
      return ['users', 'startUpSeconds', 'seconds', 'restSeconds'];
    case 'arrivals':
      // A separate limit for a stage is rare, so it has a field only if the plan sets it.
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

export const USUAL_THINK_TIME: ThinkTimeEntry = { kind: 'uniform', numbers: { seconds: 5, fromSeconds: 2, toSeconds: 8, meanSeconds: 5 } };

/** Converts a plan's load to editable rows. The rows have negative ids; rows that the user adds have positive ids. */
export function fromLoad(load: Load): LoadEntry {
  const isPaused = load.model === 'users' || (load.model === 'arrivals' && load.thinkTime !== undefined);
  return {
    model: load.model,
    stages: load.stages.map((stage, index) => fromStage(stage, -1 - index)),
    thinkTime: isPaused ? fromThinkTime(load.thinkTime) : null,
    ...(load.model === 'users' ? { paceSeconds: load.paceSeconds } : {}),
    spacing: load.model === 'arrivals' ? load.spacing : 'uniform',
    maxInFlight: load.model === 'arrivals' ? load.maxInFlight : DEFAULT_MAX_IN_FLIGHT,
  };
}

function fromStage(stage: Stage, id: number): StageEntry {
  return {
    id,
    name: stage.name ?? '',
    counted: stage.counted,
    end: 'connections' in stage && stage.requests !== undefined ? 'requests' : 'seconds',
    kind: 'kind' in stage ? stage.kind : 'constant',
    numbers: numbersOfPlan(STAGE_NUMBERS, stage),
    ...('users' in stage ? { kept: { continues: stage.continues, startUpCounts: stage.startUpCounts } } : {}),
  };
}

function fromThinkTime(thinkTime: ThinkTime | undefined): ThinkTimeEntry {
  const { kind, ...given } = thinkTime ?? { kind: 'none' as const };
  return { kind, numbers: { ...USUAL_THINK_TIME.numbers, ...given } };
}

/** Converts rows to a plan's `load` without validating it; null while a number is invalid. */
export function toLoad({
  model,
  stages,
  thinkTime,
  paceSeconds,
  spacing,
  maxInFlight,
}: LoadEntry): Readonly<Record<string, unknown>> | null {
  const written = stages.map((stage) => toStage(model, stage));
  const pause = model === 'connections' || !thinkTime || thinkTime.kind === 'none' ? {} : toThinkTime(thinkTime);
  const hasPace = model === 'users' && paceSeconds !== undefined && paceSeconds !== '';
  if (
    written.includes(null) ||
    pause === null ||
    (hasPace && typeof paceSeconds !== 'number') ||
    (model === 'arrivals' && typeof maxInFlight !== 'number')
  )
    return null;
  return {
    model,
    ...(model === 'arrivals' ? { spacing, maxInFlight } : {}),
    ...pause,
    ...(hasPace ? { paceSeconds } : {}),
    stages: written,
  };
}

function toStage(model: LoadModel, stage: StageEntry): Readonly<Record<string, unknown>> | null {
  const numbers = numbersIn(listNumbers(model, stage), stage.numbers);
  const name = stage.name.trim();
  return (
    numbers && {
      ...(model === 'arrivals' ? { kind: stage.kind } : {}),
      ...(name === '' ? {} : { name }),
      ...numbers,
      ...(model === 'users' ? stage.kept : {}),
      counted: countsInResult(model, stage),
    }
  );
}

/** Returns whether a stage counts in the result. Pauses never count. */
export function countsInResult(model: LoadModel, { kind, counted }: StageEntry): boolean {
  return counted && !(model === 'arrivals' && kind === 'pause');
}

function toThinkTime({ kind, numbers }: ThinkTimeEntry): Readonly<Record<string, unknown>> | null {
  const values = numbersIn(THINK_NUMBERS_OF[kind], numbers);
  return values && { thinkTime: { kind, ...values } };
}

/** Returns the numbers with these names from a part of a plan. */
export function numbersOfPlan(names: readonly string[], part: object): Readonly<Record<string, number>> {
  const given = new Map<string, unknown>(Object.entries(part));
  return Object.fromEntries(
    names.flatMap((name): [string, number][] => {
      const value = given.get(name);
      return typeof value === 'number' ? [[name, value]] : [];
    }),
  );
}

/** Returns the entered numbers with these names; null while one of them is not a number. */
export function numbersIn(
  names: readonly string[],
  entries: Readonly<Partial<Record<string, NumberEntry>>>,
): Readonly<Record<string, number>> | null {
  const numbers: Record<string, number> = {};
  for (const name of names) {
    const value = getOwn(entries, name);
    if (typeof value !== 'number') return null;
    setOwn(numbers, name, value);
  }
  return numbers;
}

/** Returns an id that no row has. Because ids are stable, a row keeps the focus while other rows are added and removed. */
export function newIdIn(rows: readonly { readonly id: number }[]): number {
  return 1 + Math.max(0, ...rows.map(({ id }) => id));
}
