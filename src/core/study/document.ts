import { z } from 'zod';
import { breakingPointSettingsSchema } from '../breakingPoint/settings.ts';
import { characterizeSettingsSchema } from '../characterize/settings.ts';
import { planSchema } from '../plan/schema.ts';

/** What a study is to find out, and of what. The plan gives targets, journey and limits; its load is taken apart by the study. */
export const studyDocumentSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('breakingPoint'), plan: planSchema, settings: breakingPointSettingsSchema.prefault({}) }),
  z.strictObject({ kind: z.literal('characterize'), plan: planSchema, settings: characterizeSettingsSchema.prefault({}) }),
]);
export type StudyDocument = z.output<typeof studyDocumentSchema>;

export const STUDY_KINDS = ['breakingPoint', 'characterize'] as const;
