import { isBlock } from '#core/base/json.ts';
import type { Issue } from '../plan/issues.ts';
import { storedPlan } from '../plan/migrate.ts';
import { planOf } from '#core/review/parse.ts';
import { readYaml } from '../plan/readYaml.ts';
import { schemaIssues } from '../plan/schemaIssues.ts';
import { checkSeries } from './check.ts';
import { seriesDocumentSchema, seriesSchema, type SeriesDocument } from '#core/plan/schema/series.ts';

export interface ParsedSeries {
  /** null if any issue is an error. */
  readonly document: SeriesDocument | null;
  readonly issues: Issue[];
}

/**
 * Parses a plan with a block `series:` from YAML or JSON. Never throws; reports every problem of both. A plan without targets uses those of the first
 * variant.
 */
export function parseSeries(source: string): ParsedSeries {
  const read = readYaml(source);
  if (read.issues.length > 0) return { document: null, issues: read.issues };
  if (!isBlock(read.value) || !Object.hasOwn(read.value, 'series')) return { document: null, issues: [NO_SERIES] };
  const { series: written, ...plan } = read.value;
  const parsed = seriesSchema.safeParse(written);
  const ownTargets = parsed.success ? parsed.data.variants[0]?.targets : undefined;
  const { plan: base, issues: planIssues } = planOf({ ...(ownTargets === undefined ? {} : { targets: ownTargets }), ...plan });
  if (!parsed.success) {
    const issues = schemaIssues(parsed.error, seriesSchema, written).map(inSeries);
    return { document: null, issues: [...planIssues, ...issues] };
  }
  if (base === null) return { document: null, issues: planIssues };
  const document = { plan: base, series: parsed.data };
  const issues = [...planIssues, ...checkSeries(document)];
  return { document: issues.some(({ level }) => level === 'error') ? null : document, issues };
}

/** Parses a series that was valid when stored, by any version. Throws like {@link storedPlan}. */
export function storedSeries(value: unknown): SeriesDocument {
  return seriesDocumentSchema.parse(isBlock(value) ? { ...value, plan: storedPlan(value['plan']) } : value);
}

/** Returns whether a text is meant as a series, valid or not. */
export function holdsSeries(source: string): boolean {
  const { value, issues } = readYaml(source);
  return issues.length === 0 && isBlock(value) && Object.hasOwn(value, 'series');
}

const NO_SERIES: Issue = {
  level: 'error',
  code: 'NO_SERIES',
  path: 'series',
  message: 'There is no series in it.',
  hint: 'A series is a plan with a block “series:” that names its variants or levels. A plan alone is run by: holdfast run FILE',
};

function inSeries(issue: Issue): Issue {
  return { ...issue, path: issue.path === '' ? 'series' : `series.${issue.path}` };
}
