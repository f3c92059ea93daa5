import { z } from 'zod';
import { VERDICT_OUTCOMES } from '#core/result/verdict.ts';

/** Schema version of the JSON of a comparison. */
export const COMPARISON_SCHEMA = 'holdfast.comparison/1';

/** Aspects that may differ between runs and may be the subject of a comparison. */
export const ASPECTS = ['target', 'variant', 'load', 'plan', 'host', 'tuning', 'engine', 'version'] as const;
export const aspectSchema = z.enum(ASPECTS);
export type Aspect = (typeof ASPECTS)[number];

export const MEASURES = [
  'goodPerSecond',
  'p50',
  'p95',
  'p99',
  'failedShare',
  'cpuMsPerResponse',
  'cpuUsed',
  'memory',
  'largestPaint',
] as const;
export type Measure = (typeof MEASURES)[number];

/** Scope of a figure: the whole run, a step, a counted stage, or a watched machine. */
export const scopeSchema = z.strictObject({ kind: z.enum(['run', 'step', 'stage', 'watched']), name: z.string() });
export type Scope = z.infer<typeof scopeSchema>;

/** One number of a run; null if unknown. Times in ms, shares from 0 to 1. */
export interface Figure {
  readonly scope: Scope;
  readonly measure: Measure;
  readonly value: number | null;
}

const spreadSchema = z.strictObject({ median: z.number(), least: z.number(), most: z.number() });

/**
 * `differs`: the change exceeds the variation between runs of one side. `withinNoise`: it does not. `tooFew`: too few runs to decide.
 * `refused`: a difference may have another cause than what was asked about. `notKnown`: a run lacks the figure.
 */
export const JUDGEMENTS = ['differs', 'withinNoise', 'tooFew', 'refused', 'notKnown'] as const;
export type Judgement = (typeof JUDGEMENTS)[number];

export const figureDifferenceSchema = z.strictObject({
  scope: scopeSchema,
  measure: z.enum(MEASURES),
  /** Spread over the complete runs of the first side; null if a run lacks the figure. */
  from: spreadSchema.nullable(),
  to: spreadSchema.nullable(),
  /** `ratio`: changes are relative to the first side (0.1: 10 % more). `difference`: they are in the figure's own unit. */
  scale: z.enum(['ratio', 'difference']),
  change: z.number().nullable(),
  /** 99 % confidence interval of the change; null with too few runs. */
  interval: z.strictObject({ from: z.number(), to: z.number() }).nullable(),
  judgement: z.enum(JUDGEMENTS),
  /** Direction of the change; null if there is no change, or if it is neither good nor bad. */
  direction: z.enum(['better', 'worse']).nullable(),
});
export type FigureDifference = z.infer<typeof figureDifferenceSchema>;

export const pairSchema = z.strictObject({
  /** Indexes of the two sides in `sides`. */
  reference: z.int(),
  side: z.int(),
  conclusion: z.enum(['differs', 'withinNoise', 'tooFew', 'refused']),
  sentence: z.string(),
  /** Evidence for and against the conclusion. */
  reasons: z.array(z.string()),
  /** Whether the runs of both sides alternated; null if there are too few runs to decide. */
  isInterleaved: z.boolean().nullable(),
  differences: z.array(figureDifferenceSchema),
});
export type Pair = z.infer<typeof pairSchema>;

/** A condition that differs between runs. */
export const dissimilaritySchema = z.strictObject({
  aspect: aspectSchema,
  what: z.string(),
  /** The values of each side, in the order of `sides`; a side whose runs agree has one value. */
  values: z.array(z.array(z.string())),
  isWithinSide: z.boolean(),
});
export type Dissimilarity = z.infer<typeof dissimilaritySchema>;

export const comparisonSchema = z.strictObject({
  schema: z.literal(COMPARISON_SCHEMA),
  /** What was changed on purpose, if known. */
  asked: aspectSchema.nullable(),
  sides: z.array(
    z.strictObject({
      name: z.string(),
      runs: z.array(
        z.strictObject({
          id: z.string(),
          name: z.string(),
          startedAt: z.iso.datetime(),
          note: z.string(),
          outcome: z.enum(VERDICT_OUTCOMES),
          /** Reason why the run's figures are excluded: the run is incomplete. */
          leftOut: z.string().nullable(),
          overloadedSeconds: z.int(),
        }),
      ),
    }),
  ),
  dissimilar: z.array(dissimilaritySchema),
  pairs: z.array(pairSchema),
});
export type Comparison = z.infer<typeof comparisonSchema>;

/**
 * Standing of a run against its baseline. `different`: better in some figures and worse in others, or changed in figures where no direction
 * is better.
 */
export const STANDINGS = ['isBaseline', 'worse', 'better', 'different', 'withinNoise', 'tooFew', 'refused'] as const;
export type Standing = (typeof STANDINGS)[number];
