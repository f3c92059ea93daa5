import { isBlock } from '#core/base/json.ts';
import { type Series, seriesSchema } from '#core/plan/schema/series.ts';
import { z } from 'zod';
import { generatorNamesSchema } from '#core/plan/schema/hosts.ts';
import { readStoredPlan } from '#core/plan/migrate.ts';
import { type Plan, planSchema } from '#core/plan/schema/plan.ts';
import { seriesHeadSchema } from '#core/series/result.ts';
import { breakingPointConclusionSchema, breakingPointSettingsSchema } from './breakingPoint/schema.ts';
import { characterConclusionSchema, characterizeSettingsSchema } from './characterize/schema.ts';
import { searchRunSchema } from './run.ts';

/** Load generators. Default: this computer. */
const on = generatorNamesSchema.optional();

/** Input of a search. The plan provides targets, journey and criteria; the search replaces its load. */
export const searchDocumentSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('breakingPoint'), plan: planSchema, settings: breakingPointSettingsSchema.prefault({}), on }),
  z.strictObject({ kind: z.literal('characterize'), plan: planSchema, settings: characterizeSettingsSchema.prefault({}), on }),
]);
export type SearchDocument = z.output<typeof searchDocumentSchema>;

/** Returns the commands that a search runs on this computer before each level, for consent. */
export function listResetCommands(document: SearchDocument): string[] {
  return document.kind === 'breakingPoint' ? document.settings.before.map(({ run }) => run) : [];
}

/** Returns what a search asks for: its plan, its hosts and its commands. */
export function askingOfSearch(document: SearchDocument): { plan: Plan; on: readonly string[] | undefined; series?: Series } {
  const before = document.kind === 'breakingPoint' ? document.settings.before : [];
  return { plan: document.plan, on: document.on, ...(before.length === 0 ? {} : { series: seriesSchema.parse({ before }) }) };
}

/** Parses a search that was valid when stored, by any version. Throws like {@link readStoredPlan}. */
export function readStoredSearch(value: unknown): SearchDocument {
  return searchDocumentSchema.parse(isBlock(value) ? { ...value, plan: readStoredPlan(value['plan']) } : value);
}

const SEARCH_KINDS = ['breakingPoint', 'characterize'] as const;

/** Schema version of the JSON result of a search. */
export const SEARCH_SCHEMA = 'holdfast.search/1';

/** Prefix of search ids, by which a group of runs is recognized as a search. */
export const SEARCH_PREFIX = 'q-';

/** Head of a search. A search has the states of a series: it runs, ends by itself, or is ended. */
export const searchHeadSchema = seriesHeadSchema.extend({ kind: z.enum(SEARCH_KINDS) });
export type SearchHead = z.infer<typeof searchHeadSchema>;

const wholeResultSchema = z.strictObject({
  schema: z.literal(SEARCH_SCHEMA),
  search: searchHeadSchema,
  document: searchDocumentSchema,
  runs: z.array(searchRunSchema),
  /** The result so far. */
  conclusion: z.discriminatedUnion('kind', [breakingPointConclusionSchema, characterConclusionSchema]),
});
export interface SearchResult extends z.output<typeof wholeResultSchema> {}
export interface SearchResultInput extends z.input<typeof wholeResultSchema> {}
export const searchResultSchema: z.ZodType<SearchResult, SearchResultInput> = wholeResultSchema;
