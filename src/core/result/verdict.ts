import { z } from 'zod';
import { criterionSchema, planSchema } from '#core/plan/schema/plan.ts';
import { timeSchema } from '#core/statistics/latency.ts';

/** Result of one criterion for one stage and step, with the numbers behind the outcome. */
export const criterionResultSchema = z.strictObject({
  criterion: criterionSchema,
  /** The criterion in words: "95 % of responses to “description” within 1 s". */
  text: z.string(),
  stage: z.string(),
  step: z.string().nullable(),
  outcome: z.enum(['passed', 'failed', 'unknown']),
  /** The reason, as a sentence with the numbers. */
  reason: z.string(),
  /** The reason why the outcome is unknown, for programs. */
  unknownBecause: z.enum(['tooFew', 'tooClose', 'generator', 'notOffered', 'interrupted', 'notMeasured', 'notThere']).nullable(),
  measured: timeSchema,
  limit: z.number(),
  unit: z.enum(['ms', 'share', 'perSecond', 'apdex']),
  /** Number of requests counted. `over`: those over the limit (slower or failed). Both are null if the criterion is not about a share. */
  counted: z.int().nullable(),
  over: z.int().nullable(),
  /**
   * One-sided 95 % bounds of the share over the limit; null if there is no share. The upper bound is also null if the criterion passed and
   * nothing was over the limit, and the lower bound if the criterion failed and everything was over the limit.
   */
  shareLow: z.number().nullable(),
  shareHigh: z.number().nullable(),
  /** First second of the run from which the criterion failed. */
  fromSecond: z.number().nullable(),
  /** True if the criterion is a default that the plan does not name. */
  isDefault: z.literal(true).optional(),
  /** True if the criterion is about the storage of acknowledged items. */
  isOfStorage: z.literal(true).optional(),
  /** True if the criterion is about people who are lost, late or absent. */
  isOfPeople: z.literal(true).optional(),
});
export type CriterionResult = z.infer<typeof criterionResultSchema>;

const STORAGE_STATES = ['verified', 'contradicted', 'notVerified'] as const;

/** Whether the server kept what it acknowledged. `none`: no step stored anything. */
const storageSchema = z.strictObject({
  state: z.enum(['none', ...STORAGE_STATES]),
  steps: z.array(
    z.strictObject({
      step: z.string(),
      state: z.enum(STORAGE_STATES),
      acknowledged: z.int(),
      /** Number of acknowledged items that are known to be missing. */
      missing: z.int(),
      /** Number of acknowledged items that are stored more than once; omitted if 0. */
      repeated: z.int().optional(),
      /** How the storage was verified: by a count of the target, or by a step that reads the items back. null: not verified. */
      by: z.enum(['count', 'readBack']).nullable(),
    }),
  ),
});

export const VERDICT_OUTCOMES = ['passed', 'failed', 'inconclusive', 'measured'] as const;

/** A next action, with a plan that would settle the question; null if no plan would. */
export const nextActSchema = z.strictObject({ kind: z.string(), label: z.string(), explanation: z.string(), plan: planSchema.nullable() });

/** Version of the judging rules in docs/method.md. It is increased when the same run may get another verdict. */
export const JUDGING_RULES = 4;

/** Returns whether the verdict might differ under the current rules. */
export function isByOlderRules({
  outcome,
  rules,
}: {
  readonly outcome: string | null;
  readonly rules?: number | null | undefined;
}): boolean {
  return outcome !== null && (rules ?? 1) < JUDGING_RULES;
}

/** Texts of a verdict in addition to its outcome. */
const verdictPartsSchema = z.strictObject({
  /** The end of the headline: claim, load and storage, such as “ for 750 participants at 60 connections”. */
  load: z.string(),
  /** What was measured, or which criterion failed since when, as a clause that ends with a full stop. Empty if there is none. */
  cause: z.string(),
  /** Further sentences; empty if there are none. */
  more: z.string(),
});
export type VerdictParts = z.infer<typeof verdictPartsSchema>;

export const verdictSchema = z.strictObject({
  outcome: z.enum(VERDICT_OUTCOMES),
  /** Summary in one line: outcome, claim and load. `sentence` begins with it. */
  headline: z.string(),
  /** The result in one sentence for readers without testing experience: `formatVerdict`. */
  sentence: z.string(),
  /** Omitted in older results. */
  parts: verdictPartsSchema.optional(),
  reasons: z.array(z.strictObject({ code: z.string(), text: z.string() })),
  exercised: z.array(z.string()),
  notExercised: z.array(z.string()),
  /**
   * Load time of the shortest judged stage, and the average interval of disturbances that it may have missed (95 % confidence). Omitted if
   * no judged stage was reached.
   */
  notSeen: z.strictObject({ watchedSeconds: z.number(), rarerThanSeconds: z.number() }).optional(),
  /** Omitted in older results, and while a run continues. */
  storage: storageSchema.optional(),
  /** Steps without a decided criterion, or whose successful responses prove nothing; omitted in older results. */
  notJudged: z
    .array(z.strictObject({ step: z.string(), because: z.enum(['neverSent', 'undecided', 'noCriteria', 'statusOnly', 'notChecked']) }))
    .optional(),
  /** Version of the judging rules; omitted in older results. */
  rules: z.int().optional(),
  next: z.array(nextActSchema),
});
export type Verdict = z.infer<typeof verdictSchema>;
