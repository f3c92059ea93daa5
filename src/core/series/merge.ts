import { HoldfastError } from '#core/base/errors.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { formatCount } from '#core/base/units.ts';
import { buildSeriesResult, countDone } from './buildSeriesResult.ts';
import { expandSeries } from './cells.ts';
import { MAX_CELL_RUNS, LEVEL_FIELDS, type Series, type SeriesDocument } from '#core/plan/schema/series.ts';
import type { CellRun, SeriesHead, SeriesResult } from './result.ts';

/** One batch: a series that was run at one time. */
export interface Batch {
  readonly head: SeriesHead;
  readonly document: SeriesDocument;
  readonly runs: readonly CellRun[];
}

/**
 * Merges several series of one test, run at different times, into one table. It has all of their levels and variants; runs of the same cell are its repeats.
 * Throws `NOT_ONE_TEST` if the plans differ in more than what a series varies, and `STILL_GOING` for a running series.
 */
export function mergeSeries(batches: readonly Batch[]): SeriesResult {
  const [first] = batches;
  if (first === undefined || batches.length < 2 || new Set(batches.map(({ head }) => head.id)).size < batches.length)
    throw new HoldfastError({ code: 'NOT_ONE_TEST', message: 'One table is made of two series or more.', hint: 'Name each once.' });
  for (const { head } of batches)
    if (head.endedAt === null)
      throw new HoldfastError({ code: 'STILL_GOING', message: `The series ${head.id} is still running.`, hint: 'Wait for its end.' });
  for (const { head, document } of batches.slice(1)) requireSame(first, { head, document });
  const document = mergeDocuments(batches);
  const runs = mergeRuns(batches, document);
  const merged = buildSeriesResult(mergeHeads(batches), document, runs);
  const withRuns = merged.rows.filter((row) => row.runs.length > 0);
  return {
    ...merged,
    rows: withRuns,
    planned: runs.length,
    engine: { name: merged.engine.name, reason: listEngines(batches) },
    notes: [...batches.map(batchNote), ...merged.notes],
  };
}

/** Returns what identifies a test, without its levels, times and repeats. */
function toTestForm({ plan, series }: SeriesDocument): Readonly<Record<string, unknown>> {
  const { name: _name, story: _story, seed: _seed, safety: _safety, load: _load, targets, ...rest } = plan;
  const variants = series.variants.map(({ name, targets: own, on }) => ({ name, targets: (own ?? []).map(({ url }) => url), on }));
  return {
    ...rest,
    targets: targets.map(({ url }) => url),
    model: plan.load.model,
    variants,
    places: series.on,
    fields: LEVEL_FIELDS.filter((field) => series.levels[field] !== undefined),
  };
}

function requireSame(first: Batch, other: Pick<Batch, 'head' | 'document'>): void {
  const one = toTestForm(first.document);
  const two = toTestForm(other.document);
  const different = [...new Set([...Object.keys(one), ...Object.keys(two)])].filter(
    (field) => JSON.stringify(getOwn(one, field)) !== JSON.stringify(getOwn(two, field)),
  );
  if (different.length === 0) return;
  throw new HoldfastError({
    code: 'NOT_ONE_TEST',
    message: `${first.head.id} and ${other.head.id} are not batches of one test: they differ in ${different.join(', ')}.`,
    hint: 'One table can only be made of runs of the same journey at the same targets; compare others side by side.',
  });
}

function mergeDocuments(batches: readonly Batch[]): SeriesDocument {
  const [first] = batches;
  if (first === undefined) throw new RangeError('There is no batch.');
  const levels: Series['levels'] = {};
  for (const field of LEVEL_FIELDS) {
    const values = batches.flatMap(({ document }) => document.series.levels[field] ?? []);
    if (values.length > 0) levels[field] = [...new Set(values)].toSorted((one, other) => one - other);
  }
  const repeats = batches.reduce((sum, { document }) => sum + document.series.repeats, 0);
  return { plan: first.document.plan, series: { ...first.document.series, levels, repeats } };
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

function listEngines(batches: readonly Batch[]): string {
  const names = [...new Set(batches.map(({ document }) => expandSeries(document).engine.name))];
  const [only] = names;
  if (names.length === 1 && only !== undefined) return `Every batch was run by ${only}.`;
  return `The batches were run by different engines (${names.join(', ')}): figures of different batches differ by the engine too.`;
}

const ofKind = (count: number, kind: string): string => `${formatCount(count)} ${kind}${count === 1 ? '' : 's'}`;

/** Notes the totals of a batch, for comparison with notes made when it was run. */
function batchNote({ head, runs }: Batch, index: number): string {
  const cells = new Set(runs.map(({ cell }) => cell)).size;
  const sent = runs.reduce((sum, { figures }) => sum + (figures?.sent ?? 0), 0);
  const good = runs.reduce((sum, { figures }) => sum + (figures?.ok ?? 0), 0);
  return `Batch ${index + 1}, ${head.id} of ${head.startedAt.slice(0, 16).replace('T', ' ')}: ${ofKind(cells, 'cell')}, ${ofKind(countDone(runs), 'run')}, ${ofKind(sent, 'request')}, ${formatCount(good)} successful.`;
}
