import { isBlock } from '#core/base/json.ts';
import { z } from 'zod';
import { placesSchema } from '#core/plan/schema/hosts.ts';
import { storedPlan } from '#core/plan/migrate.ts';
import { planSchema } from '#core/plan/schema/plan.ts';
import { seriesHeadSchema } from '#core/series/result.ts';
import { breakingPointAnswerSchema, breakingPointSettingsSchema } from './breakingPoint/schema.ts';
import { characterAnswerSchema, characterizeSettingsSchema } from './characterize/schema.ts';
import { searchRunSchema } from './run.ts';

/** Where its loads are made; left out, on this computer. */
const on = placesSchema.optional();

/** What a search is to find out, and of what. The plan gives targets, journey and limits; its load is taken apart by the search. */
export const searchDocumentSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('breakingPoint'), plan: planSchema, settings: breakingPointSettingsSchema.prefault({}), on }),
  z.strictObject({ kind: z.literal('characterize'), plan: planSchema, settings: characterizeSettingsSchema.prefault({}), on }),
]);
export type SearchDocument = z.output<typeof searchDocumentSchema>;

/** A search that was valid when it was stored, however long ago. Throws as {@link storedPlan} does. */
export function storedSearch(value: unknown): SearchDocument {
  return searchDocumentSchema.parse(isBlock(value) ? { ...value, plan: storedPlan(value['plan']) } : value);
}

const SEARCH_KINDS = ['breakingPoint', 'characterize'] as const;

/** Version of the JSON result of a search. */
export const SEARCH_SCHEMA = 'holdfast.search/1';

/** Ids of searches begin with it, so that whoever sees the id of a group of runs knows where it leads. */
export const SEARCH_PREFIX = 'q-';

/** A search lives as a series does: it goes, ends by itself, or is ended. */
export const searchHeadSchema = seriesHeadSchema.extend({ kind: z.enum(SEARCH_KINDS) });
export type SearchHead = z.infer<typeof searchHeadSchema>;

const wholeResultSchema = z.strictObject({
  schema: z.literal(SEARCH_SCHEMA),
  search: searchHeadSchema,
  document: searchDocumentSchema,
  runs: z.array(searchRunSchema),
  /** What is known so far. */
  answer: z.discriminatedUnion('kind', [breakingPointAnswerSchema, characterAnswerSchema]),
});
export interface SearchResult extends z.output<typeof wholeResultSchema> {}
export interface SearchResultInput extends z.input<typeof wholeResultSchema> {}
export const searchResultSchema: z.ZodType<SearchResult, SearchResultInput> = wholeResultSchema;
