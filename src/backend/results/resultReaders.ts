import type { z } from 'zod';
import { type LiveSnapshot, MAX_LIVE_EVENTS, MAX_LIVE_POINTS } from '#contract/replies.ts';
import { countPlannedRequests, computePlannedSeconds } from '#core/work/load/planned.ts';
import { liveOfMonitor } from '#core/machines/monitors/foldPoints.ts';
import { runReport } from '#core/presentation/document/runReport.ts';
import { seriesReport } from '#core/presentation/document/seriesReport.ts';
import { searchReport } from '#core/presentation/document/searchReport.ts';
import type { Report } from '#core/presentation/document/model.ts';
import { exportName } from '#core/base/text.ts';
import { renderHtml } from '#core/presentation/html/renderHtml.ts';
import { reducePoints } from '#core/result/pointSeries.ts';
import { findOverload } from '#core/result/overload.ts';
import { type Point, type RunHead, type RunResult, explainCut } from '#core/result/schema.ts';
import { longestWatchedReadings } from '#core/result/readings.ts';
import { computeFigures, decideOutcome } from '#core/series/buildSeriesResult.ts';
import { findReading } from '#core/search/search.ts';
import type { Log } from '#backend/log.ts';
import type { Store } from '#backend/store/store.ts';
import { getSeriesResult, getSearchResult } from '../store/groupResults.ts';
import type { CallInput, CallOutput, Calls } from '#contract/api.ts';
import { renderMarkdown } from '#core/presentation/formats/markdown.ts';
import type { SearchResult } from '#core/search/result.ts';
import { formatSeriesJunit } from '#core/presentation/formats/junitFormat.ts';
import { formatSeriesCsv } from '#core/series/format.ts';
import type { SeriesResult } from '#core/series/result.ts';
import { toComparedRun } from '#core/comparison/comparedRun.ts';
import { compareSides } from '#core/comparison/compareSides.ts';
import type { Comparison } from '#core/comparison/schema.ts';
import { sideNames } from '#core/comparison/figureTexts.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { createBaselineReaders, createDistributions, sumPointOfRange } from './baselineReaders.ts';
import { exportRun, layOut, type Layout } from './exportRun.ts';
import { openSealKey, readPublicKey } from './sealKey.ts';
import { checkSealed } from './sealedFile.ts';
import { sealStored } from './sealStored.ts';
import { withEnd, readResult, storeResult, tallyFor, type TalliedWindows } from './resultOf.ts';
import type { ResultReaders, QuestionInput } from './questions.ts';

type ComparisonInput = z.output<Calls['comparisons.make']['input']>;

/** Compares stored runs. Reads one result at a time and keeps only what the comparison needs. `runResult` throws `NO_SUCH_RUN`. */
function compareRuns({ sides, asked }: ComparisonInput, runResult: (runId: string) => RunResult): Comparison {
  requireDifferent(sides.flatMap(({ runIds }) => runIds));
  const read = sides.map(({ name, runIds }) => ({
    name,
    runs: runIds.map((runId) => toComparedRun(runResult(runId))).toSorted((one, other) => one.startedAt.localeCompare(other.startedAt)),
  }));
  const names = sideNames(read);
  return compareSides(
    read.map(({ runs }, index) => ({ name: names[index] ?? '', runs })),
    asked,
  );
}

function requireDifferent(runIds: readonly string[]): void {
  const twice = runIds.find((id, index) => runIds.indexOf(id) !== index);
  if (twice === undefined) return;
  throw new HoldfastError({
    code: 'SAME_RUN',
    message: `The run ${twice} is named twice.`,
    hint: 'A run cannot be compared with itself: name it once.',
  });
}

type Format = CallInput<'series.export'>['format'];

/** Returns a series as a file to save under `fileName`. */
function exportSeries(result: SeriesResult, format: Format, layout: Layout): CallOutput<'series.export'> {
  const base = exportName(result.series);
  switch (format) {
    case 'json':
      return { fileName: `${base}.json`, mediaType: 'application/json', content: `${JSON.stringify(result, null, 2)}\n` };
    case 'csv':
      return { fileName: `${base}.csv`, mediaType: 'text/csv', content: formatSeriesCsv(result) };
    case 'html':
      return { fileName: `${base}.html`, mediaType: 'text/html', content: renderHtml(layOut(seriesReport(result), layout), layout.paper) };
    case 'markdown':
      return { fileName: `${base}.md`, mediaType: 'text/markdown', content: renderMarkdown(layOut(seriesReport(result), layout)) };
    case 'junit':
      return { fileName: `${base}-junit.xml`, mediaType: 'application/xml', content: formatSeriesJunit(result) };
    default:
      return format satisfies never;
  }
}

/** Returns a search as a file to save under `fileName`. */
function exportSearch(result: SearchResult, format: CallInput<'searches.export'>['format'], layout: Layout): CallOutput<'searches.export'> {
  const base = exportName(result.search);
  switch (format) {
    case 'json':
      return { fileName: `${base}.json`, mediaType: 'application/json', content: `${JSON.stringify(result, null, 2)}\n` };
    case 'html':
      return { fileName: `${base}.html`, mediaType: 'text/html', content: renderHtml(layOut(searchReport(result), layout), layout.paper) };
    case 'markdown':
      return { fileName: `${base}.md`, mediaType: 'text/markdown', content: renderMarkdown(layOut(searchReport(result), layout)) };
    default:
      return format satisfies never;
  }
}

interface ReaderParts {
  /** Version of this Holdfast. */
  readonly version: string;
  /** Returns the head of a run whose end could not be stored, or null. */
  readonly unstored: () => RunHead | null;
  readonly log: Pick<Log, 'failure'>;
}

/** Creates the handlers of all calls that need whole results. They read, report and compare results, and compute missing ones. */
export function createResultReaders(store: Store, { version, unstored, log }: ReaderParts): ResultReaders {
  const distributions = createDistributions(store, log);
  /** Windows of the current run that were read before its end. Kept for one run, because only one can be active. */
  let readAhead: { readonly runId: string; readonly before: number; readonly tallied: TalliedWindows } | null = null;

  const result = (runId: string, maxPoints?: number): RunResult => {
    const record = store.find(runId);
    const head = unstored();
    return readResult(store, head?.id === runId ? withEnd(record, head) : record, maxPoints);
  };

  async function report(of: QuestionInput<'own.report'>['of']): Promise<{ readonly report: Report; readonly name: string }> {
    if ('seriesId' in of) {
      const newResult = getSeriesResult(store, of.seriesId);
      return { report: seriesReport(newResult), name: exportName(newResult.series) };
    }
    if ('searchId' in of) {
      const newResult = getSearchResult(store, of.searchId);
      return { report: searchReport(newResult), name: exportName(newResult.search) };
    }
    const newResult = result(of.runId);
    return { report: runReport(newResult, await distributions.ofReport(of.runId)), name: exportName(newResult.run) };
  }

  return {
    'runs.result': ({ runId, maxPoints }) => result(runId, maxPoints),
    'runs.points': ({ runId, maxPoints }) => reducePoints(result(runId).windows, maxPoints),
    'runs.range': async ({ runId, from, to }) => ({
      point: await sumPointOfRange(store.windowSlices(store.find(runId).key, { from, before: to })),
    }),
    'runs.distribution': ({ runId }) => distributions.of(runId),
    'runs.export': ({ runId, format, paper, onePage, columns }) =>
      exportRun(result(runId), format, {
        layout: { paper, onePage },
        columns,
        slices: () => store.windowSlices(store.find(runId).key),
        spread: () => distributions.ofReport(runId),
        seal: (stored) => sealStored(store, stored, { version, key: openSealKey(store.directory), at: new Date() }),
      }),
    'sealed.verify': ({ base64 }) => checkSealed(Buffer.from(base64, 'base64'), { version, ownKey: readPublicKey(store.directory) }),
    'comparisons.make': (input) => compareRuns(input, result),
    ...createBaselineReaders(store, result),
    'series.export': ({ seriesId, format, ...layout }) => exportSeries(getSeriesResult(store, seriesId), format, layout),
    'searches.export': ({ searchId, format, ...layout }) => exportSearch(getSearchResult(store, searchId), format, layout),
    'own.readOn': ({ runId, from, before }) => {
      const known = from === 0 ? { runId, before: 0, tallied: tallyFor(store, store.find(runId)) } : readAhead;
      // A thread that was started later lacks the earlier windows. In that case, as after an error, all windows are read at the end.
      readAhead = null;
      if (known?.runId !== runId || known.before !== from) return {};
      known.tallied.readUntil(before);
      readAhead = { ...known, before };
      return {};
    },
    'own.storeResult': ({ runId }) => {
      const talliedWindows = readAhead?.runId === runId ? readAhead.tallied : null;
      // Released before storing, because the windows hold up to an hour of points and are used only once.
      if (talliedWindows !== null) readAhead = null;
      storeResult(store, store.find(runId), talliedWindows);
      return {};
    },
    'own.prepareDistribution': ({ runId }) => distributions.prepare(runId).then(() => ({})),
    'own.live': ({ runId }) => liveOfResult(result(runId)),
    'own.cell': ({ runId }) => {
      const newResult = result(runId);
      return { ...decideOutcome(newResult), figures: computeFigures(newResult) };
    },
    'own.searchRun': ({ runId, document, of }) => {
      const newResult = result(runId);
      const reason = incompleteReason(newResult);
      const requests = newResult.outcomes.requests.sent;
      return { state: reason === null ? 'value' : 'aborted', reason, reading: findReading(document, of, newResult), requests };
    },
    'own.report': async ({ of, ...layout }) => {
      const made = await report(of);
      return { html: renderHtml(layOut(made.report, layout), layout.paper), name: made.name };
    },
  };
}

/** Returns why a run is not a complete measurement, or null. A run that was ended by a safety limit counts as complete. */
function incompleteReason({ run }: RunResult): string | null {
  return run.endedBecause?.code === 'safety' ? null : explainCut(run);
}

function liveOfResult(result: RunResult): LiveSnapshot {
  const { plan, run, outcomes, balances, generators } = result;
  return {
    run,
    plan,
    elapsedSeconds: result.durationSeconds ?? endSecondOf(result.windows.at(-1)),
    plannedSeconds: computePlannedSeconds(plan),
    plannedRequests: countPlannedRequests(plan),
    stage: null,
    outcomes,
    balances,
    latency: result.latency.response,
    points: reducePoints(result.windows, MAX_LIVE_POINTS),
    resync: false,
    generator: generators[0]?.readings.at(-1) ?? null,
    overload: findOverload(result),
    generators: generators.map(({ name, lost }) => ({ name, lost, figures: null })),
    generatorPoints: [],
    watched: longestWatchedReadings(generators),
    servers: result.servers,
    ...(result.cache === undefined ? {} : { cache: result.cache.all }),
    events: result.events.slice(-MAX_LIVE_EVENTS),
    monitors: result.monitors.map(liveOfMonitor),
  };
}

function endSecondOf(point: Point | undefined): number {
  return point ? point.second + point.width : 0;
}
