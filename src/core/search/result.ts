import { z } from 'zod';
import { placesSchema } from '#core/plan/schema/hosts.ts';
import { isBlock, storedPlan } from '#core/plan/migrate.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import { seriesHeadSchema } from '#core/series/result.ts';
import { breakingPointAnswerSchema, breakingPointSettingsSchema } from './breakingPoint/schema.ts';
import { characterAnswerSchema, characterizeSettingsSchema } from './characterize/schema.ts';
import { studyRunSchema } from './run.ts';

/** Where its loads are made; left out, on this computer. */
const on = placesSchema.optional();

/** What a study is to find out, and of what. The plan gives targets, journey and limits; its load is taken apart by the study. */
export const studyDocumentSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('breakingPoint'), plan: planSchema, settings: breakingPointSettingsSchema.prefault({}), on }),
  z.strictObject({ kind: z.literal('characterize'), plan: planSchema, settings: characterizeSettingsSchema.prefault({}), on }),
]);
export type StudyDocument = z.output<typeof studyDocumentSchema>;

/** A search that was valid when it was stored, however long ago. Throws as {@link storedPlan} does. */
export function storedStudy(value: unknown): StudyDocument {
  return studyDocumentSchema.parse(isBlock(value) ? { ...value, plan: storedPlan(value['plan']) } : value);
}

const STUDY_KINDS = ['breakingPoint', 'characterize'] as const;

/** Version of the JSON result of a study. */
export const STUDY_SCHEMA = 'holdfast.study/1';

/** Ids of studies begin with it, so that whoever sees the id of a group of runs knows where it leads. */
export const STUDY_PREFIX = 'q-';

/** A study lives as a series does: it goes, ends by itself, or is ended. */
export const studyHeadSchema = seriesHeadSchema.extend({ kind: z.enum(STUDY_KINDS) });
export type StudyHead = z.infer<typeof studyHeadSchema>;

export const studyResultSchema = z.strictObject({
  schema: z.literal(STUDY_SCHEMA),
  study: studyHeadSchema,
  document: studyDocumentSchema,
  runs: z.array(studyRunSchema),
  /** What is known so far. */
  answer: z.discriminatedUnion('kind', [breakingPointAnswerSchema, characterAnswerSchema]),
});
export type StudyResult = z.infer<typeof studyResultSchema>;
