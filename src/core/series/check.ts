import { computePlannedSeconds } from '#core/work/load/planned.ts';
import { error, type Issue } from '#core/plan/issues.ts';
import { expandSeries, listTurns, type SeriesCell } from './cells.ts';
import { checkDuet } from './duet.ts';
import { levelFields } from './levels.ts';
import { MAX_CELL_RUNS, type Series, type SeriesDocument, seriesDocumentSchema, seriesSchema } from '#core/plan/schema/series.ts';
import { UNIQUE_NAME_HINT } from '#core/review/checks/make.ts';
import { isBlock } from '#core/base/json.ts';
import { readStoredPlan } from '#core/plan/migrate.ts';
import { parseValue } from '#core/review/check.ts';
import { readYaml } from '#core/plan/readYaml.ts';
import { schemaIssues } from '#core/plan/schemaIssues.ts';
import { withoutAbsent } from '#core/base/lists.ts';

/** Checks what the schema of a series cannot express. `checkPlan` checks the plan. */
export function checkSeries(document: SeriesDocument): Issue[] {
  const { series } = document;
  const structure = [
    ...checkVariants(series),
    ...checkMachines(series),
    ...checkPlaces(series),
    ...checkLevels(series),
    ...checkSize(series),
    ...checkDuet(document),
  ];
  return structure.some(({ level }) => level === 'error') ? structure : [...structure, ...checkCells(expandSeries(document).cells)];
}

function checkVariants({ variants }: Series): Issue[] {
  return variants.flatMap(({ name }, index) =>
    variants.findIndex((other) => other.name === name) === index
      ? []
      : [error('DUPLICATE_VARIANT', `series.variants[${index}].name`, `Two variants are called “${name}”.`, UNIQUE_NAME_HINT)],
  );
}

function checkMachines({ variants, machine = [] }: Series): Issue[] {
  const unknown = machine.filter((name) => !variants.some(({ factors }) => Object.hasOwn(factors, name)));
  const without = variants.findIndex(({ cost }) => cost === undefined);
  return withoutAbsent([
    ...unknown.map((name) =>
      error('NO_SUCH_FACTOR', 'series.machine', `No variant has a factor “${name}”.`, 'Name factors as the variants do.'),
    ),
    without >= 0 &&
      variants.some(({ cost }) => cost !== undefined) &&
      error(
        'COST_MISSING',
        `series.variants[${without}].cost`,
        'Some variants say what they cost and this one does not.',
        'Give all of them a cost, or none.',
      ),
  ]);
}

function checkPlaces(series: Series): Issue[] {
  const named = [
    { path: 'series.on', on: series.on },
    ...series.variants.map(({ on }, index) => ({ path: `series.variants[${index}].on`, on })),
  ];
  return named.flatMap(({ path, on = [] }) => {
    const repeatedName = on.find((name, index) => on.findIndex((other) => other.toLowerCase() === name.toLowerCase()) < index);
    if (repeatedName === undefined) return [];
    return [error('PLACE_TWICE', path, `${repeatedName} is named twice.`, 'A place makes its part of the load once.')];
  });
}

function checkLevels(series: Series): Issue[] {
  const fields = levelFields(series);
  const issues: Issue[] = [];
  if (fields.length > 2) {
    issues.push(
      error('TOO_MANY_LEVELS', 'series.levels', `${fields.length} fields are gone through.`, 'Use one for cycles or two for a matrix.'),
    );
  }
  if (fields.includes('requests') && fields.includes('seconds')) {
    issues.push(error('TWO_ENDS', 'series.levels', 'A load ends after requests or after seconds, not after both.', 'Leave one out.'));
  }
  for (const field of fields) {
    const values = series.levels[field] ?? [];
    if (new Set(values).size < values.length)
      issues.push(error('DUPLICATE_LEVEL', `series.levels.${field}`, 'A value stands there twice.', 'Use “repeats” to run a level again.'));
    if (WHOLE_NUMBER_FIELDS.has(field) && values.some((value) => !Number.isInteger(value)))
      issues.push(error('NOT_WHOLE', `series.levels.${field}`, `“${field}” can only be counted.`, 'Write whole numbers.'));
  }
  return issues;
}

const WHOLE_NUMBER_FIELDS: ReadonlySet<string> = new Set(['connections', 'users', 'requests']);

function checkSize(series: Series): Issue[] {
  const runs = listTurns(series).length;
  if (runs > MAX_CELL_RUNS)
    return [error('TOO_MANY_CELLS', 'series', `That makes ${runs} runs.`, `At most ${MAX_CELL_RUNS}: leave out levels or repeats.`)];
  if (series.variants.length === 0 && levelFields(series).length === 0 && series.repeats === 1)
    return [error('ONE_CELL', 'series', 'It has one cell only.', 'Name variants, levels or repeats; a single run needs no series.')];
  return [];
}

/** Checks the cells. A matrix may contain impossible cells, but at least one cell of a series must be possible. */
function checkCells(cells: readonly SeriesCell[]): Issue[] {
  const bad = cells.filter(({ problem }) => problem !== null);
  const isHopeless = bad.length === cells.length;
  const [first] = bad;
  if (isHopeless && first !== undefined)
    return [error('CELL_IMPOSSIBLE', `series (“${first.name}”)`, first.problem ?? '', 'No cell could be run.')];
  return bad.map(({ name, problem }) => ({
    level: 'warning',
    code: 'CELL_IMPOSSIBLE',
    path: `series (“${name}”)`,
    message: problem ?? '',
    hint: 'This cell is left out; the table says so.',
  }));
}

/** Returns the minimum duration of a series with its pauses in seconds; null if it depends on responses. */
export function computeSeriesSeconds(document: SeriesDocument): number | null {
  const { cells } = expandSeries(document);
  let total = 0;
  for (const { cell } of listTurns(document.series)) {
    const one = cells[cell];
    if (one === undefined || one.problem !== null) continue;
    const seconds = computePlannedSeconds(one.plan);
    if (seconds === null) return null;
    total += seconds + document.series.coolDownSeconds;
  }
  return total;
}

interface ParsedSeries {
  /** The plan and the series; null if any issue is an error. */
  readonly document: SeriesDocument | null;
  readonly issues: Issue[];
}

/**
 * Parses a plan with a block `series:` from YAML or JSON. Never throws, and reports every problem of the plan and the series. A plan
 * without targets uses those of the first variant. `isDuet`: both variants take turns, whatever the text says.
 */
export function parseSeries(source: string, isDuet = false): ParsedSeries {
  const read = readYaml(source);
  if (read.issues.length > 0) return { document: null, issues: read.issues };
  if (!isBlock(read.value) || !Object.hasOwn(read.value, 'series')) return { document: null, issues: [NO_SERIES] };
  const { series: written, ...plan } = read.value;
  const parsed = seriesSchema.safeParse(written);
  const ownTargets = parsed.success ? parsed.data.variants[0]?.targets : undefined;
  const { plan: base, issues: planIssues } = parseValue({ ...(ownTargets === undefined ? {} : { targets: ownTargets }), ...plan });
  if (!parsed.success) {
    const issues = schemaIssues(parsed.error, seriesSchema, written).map(prefixIssue);
    return { document: null, issues: [...planIssues, ...issues] };
  }
  if (base === null) return { document: null, issues: planIssues };
  const document = { plan: base, series: isDuet ? { ...parsed.data, duet: true } : parsed.data };
  const issues = [...planIssues, ...checkSeries(document)];
  return { document: issues.some(({ level }) => level === 'error') ? null : document, issues };
}

/** Parses a series that was valid when stored, by any version. Throws like {@link readStoredPlan}. */
export function readStoredSeries(value: unknown): SeriesDocument {
  return seriesDocumentSchema.parse(isBlock(value) ? { ...value, plan: readStoredPlan(value['plan']) } : value);
}

/** Returns whether a text is meant to be a series, valid or not. */
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

function prefixIssue(issue: Issue): Issue {
  return { ...issue, path: issue.path === '' ? 'series' : `series.${issue.path}` };
}
