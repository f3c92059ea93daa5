import { HoldfastError } from '#core/base/errors.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { formatCount } from '#core/base/units.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { RunHead } from '#core/result/schema.ts';
import { buildSeriesResult, countDone } from './buildSeriesResult.ts';
import { expandSeries, ONLY_CELL_NAME, toPlannedRun } from './cells.ts';
import { MAX_CELL_RUNS, LEVEL_FIELDS, type Series, type SeriesDocument, seriesSchema, type Variant } from '#core/plan/schema/series.ts';
import type { CellRun, SeriesHead, SeriesResult } from './result.ts';

/** One batch: a series that was run at one time, or a single run. */
export interface Batch {
  readonly head: SeriesHead;
  readonly document: SeriesDocument;
  readonly runs: readonly CellRun[];
}

/** Returns a single run as a series with one cell. `on` names its load generators; undefined means this computer. */
export function batchOfRun(
  { id, name, startedAt, endedAt, state, endedBecause }: RunHead,
  plan: Plan,
  on: Series['on'],
  outcome: Pick<CellRun, 'state' | 'reason' | 'figures'>,
): Batch {
  const run = { ...toPlannedRun({ position: 0, cell: ONLY_CELL_NAME, repeat: 1 }), runId: id, ...outcome };
  return {
    head: { id, name, startedAt, endedAt, state: state === 'finished' ? state : 'stopped', endedBecause: endedBecause?.text ?? null },
    document: { plan, series: { ...seriesSchema.parse({}), ...(on === undefined ? {} : { on }) } },
    runs: [run],
  };
}

/**
 * Merges several series and runs of one test, made at different times, into one table. The table has all of their levels and variants; runs
 * of the same cell are its repeats. Series and runs without variants but with different targets become variants, which the targets name.
 * Throws `NOT_ONE_TEST` if the plans differ in more than what a series varies, and `STILL_GOING` for a running series.
 */
export function mergeSeries(allBatches: readonly Batch[]): SeriesResult {
  if (allBatches.length < 2 || new Set(allBatches.map(({ head }) => head.id)).size < allBatches.length)
    throw new HoldfastError({ code: 'NOT_ONE_TEST', message: 'One table is made of two series or runs or more.', hint: 'Name each once.' });
  for (const { head } of allBatches)
    if (head.endedAt === null)
      throw new HoldfastError({ code: 'STILL_GOING', message: `${head.id} is still running.`, hint: 'Wait for its end.' });
  const batches = withVariants(allBatches);
  const [first] = batches;
  if (first === undefined) throw new RangeError('There is no batch.');
  const places = new Map<string, string>();
  for (const batch of batches) requireSame(first, batch, places);
  const document = mergeDocuments(first, batches);
  const runs = mergeRuns(batches, document);
  const merged = buildSeriesResult(mergeHeads(batches), document, runs);
  const withRuns = merged.rows.filter((row) => row.runs.length > 0);
  return {
    ...merged,
    rows: withRuns,
    planned: runs.length,
    engine: { name: merged.engine.name, reason: formatEngines(batches) },
    notes: [...batches.map(batchNote), ...(haveSameVariants(batches) ? [] : [NOT_IN_TURN]), ...merged.notes],
  };
}

const NOT_IN_TURN = 'The variants were not run in turn: whatever else changed between the batches is part of their differences.';

function haveSameVariants(batches: readonly Batch[]): boolean {
  return new Set(batches.map(({ document }) => JSON.stringify(document.series.variants.map(({ name }) => name).toSorted()))).size === 1;
}

/**
 * Gives each batch without variants one variant, which its targets name. Does nothing if no batch has variants and all have the same
 * targets.
 */
function withVariants(batches: readonly Batch[]): Batch[] {
  const targets = new Set(batches.map(({ document }) => listUrls(document.plan.targets).join(' ')));
  if (targets.size === 1 && batches.every(({ document }) => document.series.variants.length === 0)) return [...batches];
  return batches.map(({ head, document: { plan, series }, runs }) => {
    if (series.variants.length > 0) return { head, document: { plan, series }, runs };
    const name = plan.targets
      .map((target) => target.name ?? target.url)
      .join(', ')
      .slice(0, 60);
    const variants = [{ name, factors: {}, targets: plan.targets, before: [], after: [] }];
    const inVariant = (cell: string): string => (cell === ONLY_CELL_NAME ? name : `${name} · ${cell}`);
    return { head, document: { plan, series: { ...series, variants } }, runs: runs.map((run) => ({ ...run, cell: inVariant(run.cell) })) };
  });
}

const listUrls = (targets: Plan['targets']): string[] => targets.map(({ url }) => url);

/** Returns what identifies a test: the document without its targets, levels, times and repeats. */
function toTestForm({ plan, series }: SeriesDocument): Readonly<Record<string, unknown>> {
  const { name: _name, story: _story, seed: _seed, safety: _safety, targets: _targets, load, ...rest } = plan;
  const fields = LEVEL_FIELDS.filter((field) => series.levels[field] !== undefined);
  return { ...rest, model: load.model, ...(fields.length === 0 ? { load } : {}), places: series.on, fields };
}

/** Returns where a variant sends its load, and from where if the variant itself states that. */
function toPlaceForm({ plan }: SeriesDocument, { targets, on }: Variant): string {
  return JSON.stringify([listUrls(targets ?? plan.targets), on]);
}

/**
 * Throws if `other` is a different test from `first`. `places` has the destination of each variant of the earlier batches; those of `other`
 * are added to it.
 */
function requireSame(first: Batch, other: Batch, places: Map<string, string>): void {
  const one = toTestForm(first.document);
  const two = toTestForm(other.document);
  const different = [...new Set([...Object.keys(one), ...Object.keys(two)])].filter(
    (field) => JSON.stringify(getOwn(one, field)) !== JSON.stringify(getOwn(two, field)),
  );
  for (const variant of other.document.series.variants) {
    const place = toPlaceForm(other.document, variant);
    if ((places.get(variant.name) ?? place) !== place) different.push(`the targets of “${variant.name}”`);
    places.set(variant.name, place);
  }
  if (different.length === 0) return;
  throw new HoldfastError({
    code: 'NOT_ONE_TEST',
    message: `${first.head.id} and ${other.head.id} are not of one test: they differ in ${different.join(', ')}.`,
    hint: 'One table is made of runs of the same journey. To compare others side by side: holdfast compare',
  });
}

function mergeDocuments(first: Batch, batches: readonly Batch[]): SeriesDocument {
  const levels: Series['levels'] = {};
  for (const field of LEVEL_FIELDS) {
    const values = batches.flatMap(({ document }) => document.series.levels[field] ?? []);
    if (values.length > 0) levels[field] = [...new Set(values)].toSorted((one, other) => one - other);
  }
  const variants = new Map<string, Variant>();
  for (const { document } of batches)
    for (const variant of document.series.variants)
      if (!variants.has(variant.name)) variants.set(variant.name, { ...variant, targets: variant.targets ?? document.plan.targets });
  const repeats = batches.reduce((sum, { document }) => sum + document.series.repeats, 0);
  return { plan: first.document.plan, series: { ...first.document.series, variants: [...variants.values()], levels, repeats } };
}

/** Returns the runs in the order of the batches, with repeats of a cell numbered consecutively. */
function mergeRuns(batches: readonly Batch[], document: SeriesDocument): CellRun[] {
  const names = new Set(expandSeries(document).cells.map(({ name }) => name));
  const counts = new Map<string, number>();
  const runs = batches.flatMap((batch) => batch.runs).filter(({ cell }) => names.has(cell));
  if (runs.length > MAX_CELL_RUNS)
    throw new HoldfastError({
      code: 'NOT_ONE_TEST',
      message: `Together they have ${formatCount(runs.length)} runs.`,
      hint: `At most ${formatCount(MAX_CELL_RUNS)} make one table.`,
    });
  return runs.map((run, position) => {
    const repeat = (counts.get(run.cell) ?? 0) + 1;
    counts.set(run.cell, repeat);
    return { ...run, position, repeat };
  });
}

function mergeHeads(batches: readonly Batch[]): SeriesHead {
  const heads = batches.map(({ head }) => head);
  const ended = heads.flatMap(({ endedAt }) => (endedAt === null ? [] : [endedAt]));
  return {
    id: heads.map(({ id }) => id).join('+'),
    name: heads[0]?.name ?? '',
    startedAt: heads.map(({ startedAt }) => startedAt).toSorted()[0] ?? '',
    endedAt: ended.toSorted().at(-1) ?? null,
    state: heads.every(({ state }) => state === 'finished') ? 'finished' : 'stopped',
    endedBecause: heads.every(({ state }) => state === 'finished') ? null : 'Not every batch went to its end.',
  };
}

function formatEngines(batches: readonly Batch[]): string {
  const names = [...new Set(batches.map(({ document }) => expandSeries(document).engine.name))];
  const [only] = names;
  if (names.length === 1 && only !== undefined) return `Every batch was run by ${only}.`;
  return `The batches were run by different engines (${names.join(', ')}): figures of different batches differ by the engine too.`;
}

const formatKindCount = (count: number, kind: string): string => `${formatCount(count)} ${kind}${count === 1 ? '' : 's'}`;

/** Describes the totals of a batch, so that they can be compared with notes made when it was run. */
function batchNote({ head, runs }: Batch, index: number): string {
  const cells = new Set(runs.map(({ cell }) => cell)).size;
  const sent = runs.reduce((sum, { figures }) => sum + (figures?.sent ?? 0), 0);
  const good = runs.reduce((sum, { figures }) => sum + (figures?.ok ?? 0), 0);
  return `Batch ${index + 1}, ${head.id} of ${head.startedAt.slice(0, 16).replace('T', ' ')}: ${formatKindCount(cells, 'cell')}, ${formatKindCount(countDone(runs), 'run')}, ${formatKindCount(sent, 'request')}, ${formatCount(good)} successful.`;
}
