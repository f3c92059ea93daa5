import { HoldfastError } from '#core/base/errors.ts';
import { countDone } from '#core/series/buildSeriesResult.ts';
import { expandSeries, remainingRuns } from '#core/series/cells.ts';
import { checkSeries } from '#core/series/check.ts';
import { markStorable, hideSecrets, hideTargets, type StorableDocument } from '#core/plan/hideSecrets.ts';
import { replaceCommandSecrets } from '#core/plan/secretShapes.ts';
import { placeOf } from '#core/plan/hosts/generatorNames.ts';
import { isHere } from '#core/plan/schema/hosts.ts';
import { type Batch, batchOfRun, mergeSeries } from '#core/series/merge.ts';
import { type CellRun, SERIES_PREFIX, type SeriesResult } from '#core/series/result.ts';
import { listCommands, type SeriesDocument } from '#core/plan/schema/series.ts';
import type { ResultThread } from '#backend/results/resultThread.ts';
import { SECRET_MARK } from '#backend/redaction.ts';
import { getSeriesResult } from '#backend/store/groupResults.ts';
import { headOf } from '#backend/store/rows.ts';
import type { Store } from '#backend/store/store.ts';
import { mayRunCommands } from '../runCommand.ts';
import { enterBrowserHost } from '../runs/generators/openGenerators.ts';
import { requireValidPlan } from '../runs/prepareRun.ts';
import { RunGroups, type RunGroupRecovery, type RunGroupService, type RunGroupWithCommandsParts } from './runGroupService.ts';
import type { StepWork } from './runGroupSession.ts';
import { planRuns, SeriesSteps } from './seriesSteps.ts';

const OWNER_GONE = 'The Holdfast that ran it ended before the series did.';

export function createSeriesService(parts: RunGroupWithCommandsParts): RunGroupService<'series'> {
  const { store, redaction, secrets, results, lock } = parts;
  const createSteps = (document: SeriesDocument, planned: readonly CellRun[]) => (work: StepWork<CellRun>) =>
    new SeriesSteps({ redaction, results }, work, document, planned);
  const groups = new RunGroups<SeriesDocument, CellRun, SeriesResult>(parts, {
    ...seriesRecovery(store, results),
    prefix: SERIES_PREFIX,
    code: 'SERIES',
    idName: 'seriesId',
    runningMessage: 'A series is running.',
    mayStart: (document) => {
      mayStartSeries(document);
      mayRunCommands(listCommands(document), parts.runsCommands, 'This series');
    },
    // Opens one host after the other, so that the user gets one question at a time.
    enterHosts: async (document) => {
      const names = new Set(expandSeries(document).cells.flatMap(({ on, problem }) => (problem === null ? (on ?? []) : [])));
      for (const name of names) if (!isHere(name)) (await parts.openHost(name)).close();
      await enterBrowserHost(document.plan, parts.enterHost);
    },
    begin: (givenSeriesDocument) => {
      const document = withoutSecrets(givenSeriesDocument, secrets.keep);
      const runs = planRuns(document);
      const stored = withCleanCommands(document, secrets.keep, redaction.text);
      return { name: document.plan.name, document: stored, runs, createSteps: createSteps(document, runs) };
    },
    result: (seriesId) => getSeriesResult(store, seriesId),
    isEnded: ({ series }) => series.endedAt !== null,
  });

  /** Continues a series that ended early. Finished and rejected cells are kept. */
  async function resumeSeries(seriesId: string): Promise<{ seriesId: string }> {
    lock.claim('series');
    const record = await groups.findEnded(seriesId);
    const left = remainingRuns(store.series.runs(record.key));
    if (left.length === 0) throw noRunsLeftError(seriesId);
    if (listCommands(record.document).some((command) => command.includes(SECRET_MARK))) throw commandsForgotten();
    await groups.resumeGroup(record, left, createSteps(record.document, left));
    return { seriesId };
  }

  function seriesBatch(seriesId: string): Batch {
    const { key, head, document } = store.series.find(seriesId);
    return { head, document, runs: store.series.runs(key) };
  }

  return {
    calls: {
      'series.start': async ({ document }) => ({ seriesId: await groups.start(document) }),
      'series.stop': ({ seriesId }) => groups.stop(seriesId),
      'series.resume': ({ seriesId }) => resumeSeries(seriesId),
      'series.remove': ({ seriesId }) => groups.remove(seriesId),
      'series.merge': async ({ batches }) => {
        await groups.recover();
        return mergeSeries(
          await Promise.all(
            batches.map((batch) => ('runId' in batch ? runBatch(store, results, batch.runId) : seriesBatch(batch.seriesId))),
          ),
        );
      },
      'series.result': ({ seriesId }) => groups.result(seriesId),
      'series.list': async ({ limit, offset }) => {
        const { rows, total } = await groups.list(limit, offset, ({ key, head }) => {
          const runs = store.series.runs(key);
          return { ...head, done: countDone(runs), planned: runs.length };
        });
        return { series: rows, total };
      },
      'series.export': (input) => results.ask('series.export', input),
    },
    streams: { 'series.watch': ({ seriesId }, sink) => groups.watch(seriesId, sink) },
    close: groups.close,
  };
}

async function runBatch(store: Store, results: Pick<ResultThread, 'read'>, runId: string): Promise<Batch> {
  const record = store.find(runId);
  const generators = store.generators(record.key).map(({ name }) => placeOf(name));
  const on = generators.every(isHere) ? undefined : generators;
  return batchOfRun(headOf(record), store.details(record.key).plan, on, await results.read('own.cell', { runId }));
}

/** Keeps finished cells and the data of the active run, and marks the other runs as not run. */
export function seriesRecovery(store: Store, results: Pick<ResultThread, 'read'>): RunGroupRecovery<SeriesDocument, CellRun> {
  return {
    called: 'series',
    table: store.series,
    ownerGone: OWNER_GONE,
    recovered: async (run) => {
      if (run.runId === null) return { ...run, state: 'notRun', phase: null, reason: run.reason ?? OWNER_GONE };
      try {
        return { ...run, ...(await results.read('own.cell', { runId: run.runId })), phase: null };
      } catch (thrown) {
        // The run has been deleted. Any other error is temporary, so the series is recovered later.
        if (!(thrown instanceof HoldfastError && thrown.code === 'NO_SUCH_RUN')) throw thrown;
        return { ...run, state: 'aborted', phase: null, reason: OWNER_GONE };
      }
    },
  };
}

/** Throws `INVALID_PLAN` with every problem that would prevent all cells. */
function mayStartSeries(document: SeriesDocument): void {
  const issues = checkSeries(document).filter(({ level }) => level === 'error');
  if (issues.length > 0)
    throw new HoldfastError({
      code: 'INVALID_PLAN',
      message: 'The series has mistakes.',
      hint: issues.map(({ path, message, hint }) => `${path}: ${message} ${hint}`.trim()).join('\n'),
      data: { issues },
    });
  for (const { plan, problem } of expandSeries(document).cells) if (problem === null) requireValidPlan(plan);
}

function withoutSecrets({ plan, series }: SeriesDocument, keep: (value: string) => string): SeriesDocument {
  const variants = series.variants.map((variant) =>
    variant.targets === undefined ? variant : { ...variant, targets: hideTargets(variant.targets, keep) },
  );
  return { plan: hideSecrets(plan, keep), series: { ...series, variants } };
}

/**
 * Hides secrets in commands: values that this process knows, and values with a name that suggests a secret. The command runs with its
 * secrets, but is stored without them. From then on the values are known, so they are also redacted in the command's output.
 */
function withCleanCommands(
  { plan, series }: SeriesDocument,
  keep: (value: string) => string,
  known: (text: string) => string,
): StorableDocument<SeriesDocument> {
  const dropSecret = (secret: string): string => {
    keep(secret);
    return SECRET_MARK;
  };
  const clean = (line: string): string => known(replaceCommandSecrets(line, dropSecret));
  const cleanCommands = <Around extends Pick<SeriesDocument['series'], 'before' | 'after'>>(written: Around): Around => ({
    ...written,
    before: written.before.map((command) => ({ ...command, run: clean(command.run) })),
    after: written.after.map((command) => ({ ...command, run: clean(command.run) })),
  });
  return markStorable({ plan, series: { ...cleanCommands(series), variants: series.variants.map(cleanCommands) } });
}

function noRunsLeftError(seriesId: string): HoldfastError {
  return new HoldfastError({
    code: 'NOTHING_LEFT',
    message: `Every cell of the series ${seriesId} is done.`,
    hint: 'There is nothing to continue. To measure it again, start it anew.',
  });
}

function commandsForgotten(): HoldfastError {
  return new HoldfastError({
    code: 'COMMANDS_FORGOTTEN',
    message: 'A command of this series had a secret, which was not stored.',
    hint: 'Start the series anew from its file.',
  });
}
