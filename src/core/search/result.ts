import { z } from 'zod';
import { breakingPointAnswerSchema } from './breakingPoint/schema.ts';
import { characterAnswerSchema } from './characterize/schema.ts';
import { seriesHeadSchema } from '#core/series/result.ts';
import { STUDY_KINDS, studyDocumentSchema } from './document.ts';
import { studyRunSchema } from './run.ts';

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
