import { isBlock } from '#core/base/json.ts';
import type { Issue } from '../plan/issues.ts';
import { storedPlan } from '../plan/migrate.ts';
import { planOf } from '#core/review/parse.ts';
import { readYaml } from '../plan/readYaml.ts';
import { schemaIssues } from '../plan/schemaIssues.ts';
import { checkSeries } from './check.ts';
import { seriesDocumentSchema, seriesSchema, type SeriesDocument } from '#core/plan/schema/series.ts';

export interface ParsedSeries {
  /** null when any issue is an error. */
  readonly document: SeriesDocument | null;
  readonly issues: Issue[];
}

/**
 * Reads a plan with a block `series:`, written as YAML or JSON. Never throws; every problem of both is reported. A plan without targets
 * takes those of the first variant, so that a series need not name one of them twice.
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

/** A series that was valid when it was stored, however long ago. Throws as {@link storedPlan} does. */
export function storedSeries(value: unknown): SeriesDocument {
  return seriesDocumentSchema.parse(isBlock(value) ? { ...value, plan: storedPlan(value['plan']) } : value);
}

/** Whether a text is meant as a series, whatever is wrong with it. */
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
