import { z } from 'zod';
import { breakingPointSettingsSchema } from './breakingPoint/settings.ts';
import { characterizeSettingsSchema } from './characterize/settings.ts';
import { placesSchema } from '#core/plan/schema/hosts.ts';
import { isBlock, storedPlan } from '#core/plan/migrate.ts';
import { planSchema } from '#core/plan/schema/plan.ts';

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

export const STUDY_KINDS = ['breakingPoint', 'characterize'] as const;
