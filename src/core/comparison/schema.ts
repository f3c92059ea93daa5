import { z } from 'zod';
import { VERDICT_OUTCOMES } from '#core/result/schema.ts';

/** Version of the JSON of a comparison. */
export const COMPARISON_SCHEMA = 'holdfast.comparison/1';

/** What may differ between runs beside chance, and may be what somebody wants to know about. */
export const ASPECTS = ['target', 'variant', 'load', 'plan', 'host', 'tuning', 'engine', 'version'] as const;
export const aspectSchema = z.enum(ASPECTS);
export type Aspect = (typeof ASPECTS)[number];

export const MEASURES = [
  'goodPerSecond',
  'p50',
  'p95',
  'p99',
  'failedShare',
  'cpuMsPerAnswer',
  'cpuUsed',
  'memory',
  'largestPaint',
] as const;
export type Measure = (typeof MEASURES)[number];

/** What a figure is of: the whole run, a step, a counted stage, or what was watched while it went. */
export const scopeSchema = z.strictObject({ kind: z.enum(['run', 'step', 'stage', 'watched']), name: z.string() });
export type Scope = z.infer<typeof scopeSchema>;

/** One number of a run; null where it does not tell it. Times in ms, shares from 0 to 1. */
export interface Figure {
  readonly scope: Scope;
  readonly measure: Measure;
  readonly value: number | null;
}

const spreadSchema = z.strictObject({ median: z.number(), least: z.number(), most: z.number() });

/**
 * `differs`: more than runs of one side differ among themselves. `withinNoise`: no more than that. `tooFew`: not enough runs to know.
 * `refused`: it might be real, and yet not be the doing of what was asked about. `notKnown`: a run does not tell it.
 */
export const JUDGEMENTS = ['differs', 'withinNoise', 'tooFew', 'refused', 'notKnown'] as const;
export type Judgement = (typeof JUDGEMENTS)[number];

export const figureDifferenceSchema = z.strictObject({
  scope: scopeSchema,
  measure: z.enum(MEASURES),
  /** Over the whole runs of the first side of the pair, and of the other; null where one of them does not tell it. */
  from: spreadSchema.nullable(),
  to: spreadSchema.nullable(),
  /** `ratio`: changes are parts of the first side's figure (0.1: a tenth more). `difference`: they are of its own unit. */
  scale: z.enum(['ratio', 'difference']),
  change: z.number().nullable(),
  /** The changes that the runs do not rule out, at 99 %; null where there are too few of them. */
  interval: z.strictObject({ from: z.number(), to: z.number() }).nullable(),
  judgement: z.enum(JUDGEMENTS),
  /** Which way it changed, if it did; null where there is no change, or none that is good or bad. */
  direction: z.enum(['better', 'worse']).nullable(),
});
export type FigureDifference = z.infer<typeof figureDifferenceSchema>;

export const pairSchema = z.strictObject({
  /** Places of the two sides in `sides`. */
  reference: z.int(),
  side: z.int(),
  conclusion: z.enum(['differs', 'withinNoise', 'tooFew', 'refused']),
  /** The answer in a sentence. */
  sentence: z.string(),
  /** Why it is so, and what speaks against it. */
  reasons: z.array(z.string()),
  /** Whether runs of both were made in turn; null where there are too few of them to matter. */
  isInterleaved: z.boolean().nullable(),
  differences: z.array(figureDifferenceSchema),
});
export type Pair = z.infer<typeof pairSchema>;

/** Something that is not the same in all runs. */
export const dissimilaritySchema = z.strictObject({
  aspect: aspectSchema,
  what: z.string(),
  /** The values of each side, in the order of `sides`: one where its runs agree. */
  values: z.array(z.array(z.string())),
  isWithinSide: z.boolean(),
});
export type Dissimilarity = z.infer<typeof dissimilaritySchema>;

export const comparisonSchema = z.strictObject({
  schema: z.literal(COMPARISON_SCHEMA),
  /** What was changed on purpose, as far as somebody said so. */
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
          /** Why its figures are not counted: it did not go to its end. */
          leftOut: z.string().nullable(),
          sickSeconds: z.int(),
        }),
      ),
    }),
  ),
  dissimilar: z.array(dissimilaritySchema),
  pairs: z.array(pairSchema),
});
export type Comparison = z.infer<typeof comparisonSchema>;

/** How a run stands to its baseline, in a word. `different`: better in some figures and worse in others, or neither. */
export const STANDINGS = ['isBaseline', 'worse', 'better', 'different', 'withinNoise', 'tooFew', 'refused'] as const;
export type Standing = (typeof STANDINGS)[number];
