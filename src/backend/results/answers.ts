import { MAX_LIVE_EVENTS, MAX_LIVE_POINTS, type Live } from '#contract/replies.ts';
import { plannedRequests, plannedSeconds } from '#core/work/load/planned.ts';
import { liveOfMonitor } from '#core/machines/monitors/live.ts';
import { runReport } from '#core/presentation/document/runReport.ts';
import { seriesReport } from '#core/presentation/document/seriesReport.ts';
import { studyReport } from '#core/presentation/document/studyReport.ts';
import type { Report } from '#core/presentation/document/model.ts';
import { exportName } from '#core/base/fileNames.ts';
import { renderHtml } from '#core/presentation/html/renderHtml.ts';
import { reducePoints } from '#core/result/pointSeries.ts';
import type { Point, RunHead, RunResult } from '#core/result/schema.ts';
import { mostWatched } from '#core/result/watchedReadings.ts';
import { figuresOf, outcomeOf } from '#core/series/figures.ts';
import { readingOf } from '#core/search/study.ts';
import type { Log } from '#backend/log.ts';
import type { Store } from '#backend/store/store.ts';
import { createBaselineAnswers } from './baselineAnswers.ts';
import { makeComparison } from './makeComparison.ts';
import { createDistributions } from './distributions.ts';
import { exportRun } from './exportRun.ts';
import { endedAs, resultOf, storeResult } from './resultOf.ts';
import { exportSeries } from './exportSeries.ts';
import { exportStudy } from './exportStudy.ts';
import { seriesResultOf, studyResultOf } from '#backend/store/groupResults.ts';
import type { Answers, QuestionInput } from './questions.ts';

interface AnswerParts {
  /** How a run has ended whose end the store could not be told of; null where there is none. */
  readonly unstored: () => RunHead | null;
  readonly log: Pick<Log, 'failure'>;
}

/** Answers everything that takes whole results: computed where none is stored, read, reported, compared. */
export function createAnswers(store: Store, { unstored, log }: AnswerParts): Answers {
  const distributions = createDistributions(store, log);

  const result = (runId: string, maxPoints?: number): RunResult => {
    const record = store.find(runId);
    const head = unstored();
    return resultOf(store, head?.id === runId ? endedAs(record, head) : record, maxPoints);
  };

  async function report(of: QuestionInput<'own.report'>['of']): Promise<{ readonly report: Report; readonly name: string }> {
    if ('seriesId' in of) {
      const made = seriesResultOf(store, of.seriesId);
      return { report: seriesReport(made), name: exportName(made.series) };
    }
    if ('studyId' in of) {
      const made = studyResultOf(store, of.studyId);
      return { report: studyReport(made), name: exportName(made.study) };
    }
    const made = result(of.runId);
    return { report: runReport(made, await distributions.ofReport(of.runId)), name: exportName(made.run) };
  }

  return {
    'runs.result': ({ runId, maxPoints }) => result(runId, maxPoints),
    'runs.points': ({ runId, maxPoints }) => reducePoints(result(runId).windows, maxPoints),
    'runs.distribution': ({ runId }) => distributions.of(runId),
    'runs.export': ({ runId, format, paper, columns }) =>
      exportRun(result(runId), format, {
        paper,
        columns,
        slices: () => store.windowSlices(store.find(runId).key),
        spread: () => distributions.ofReport(runId),
      }),
    'comparisons.make': (asked) => makeComparison(asked, result),
    ...createBaselineAnswers(store, result),
    'series.export': ({ seriesId, format, paper }) => exportSeries(seriesResultOf(store, seriesId), format, paper),
    'studies.export': ({ studyId, format, paper }) => exportStudy(studyResultOf(store, studyId), format, paper),
    'own.storeResult': ({ runId }) => {
      storeResult(store, store.find(runId));
      return {};
    },
    'own.prepareDistribution': async ({ runId }) => {
      await distributions.prepare(runId);
      return {};
    },
    'own.live': ({ runId }) => liveOfResult(result(runId)),
    'own.cell': ({ runId }) => {
      const made = result(runId);
      return { ...outcomeOf(made), figures: figuresOf(made) };
    },
    'own.studyRun': ({ runId, document, of }) => {
      const made = result(runId);
      const reason = wholeness(made);
      const requests = made.ledger.requests.sent;
      return { state: reason === null ? 'value' : 'aborted', reason, reading: readingOf(document, of, made), requests };
    },
    'own.report': async ({ of, paper }) => {
      const made = await report(of);
      return { html: renderHtml(made.report, paper), name: made.name };
    },
  };
}

/** Why a run is no whole measurement; null where it is one. A level at which a safety limit ended the run has said what it had to say. */
function wholeness({ run }: RunResult): string | null {
  if (run.endedBecause?.code === 'safety') return null;
  if (run.endedBecause !== null) return run.endedBecause.text;
  return run.state === 'finished' ? null : 'It did not run to its end.';
}

/** The last picture of a run that has ended. */
function liveOfResult(result: RunResult): Live {
  const { plan, run, ledger, balances, generators } = result;
  return {
    run,
    elapsedSeconds: result.durationSeconds ?? endOf(result.windows.at(-1)),
    plannedSeconds: plannedSeconds(plan),
    plannedRequests: plannedRequests(plan),
    stage: null,
    ledger,
    balances,
    latency: result.latency.response,
    points: reducePoints(result.windows, MAX_LIVE_POINTS),
    resync: false,
    generator: generators[0]?.readings.at(-1) ?? null,
    generators: generators.map(({ name, lost }) => ({ name, lost, figures: null })),
    placed: [],
    watched: mostWatched(generators),
    servers: result.servers,
    ...(result.cache === undefined ? {} : { cache: result.cache.all }),
    events: result.events.slice(-MAX_LIVE_EVENTS),
    monitors: result.monitors.map(liveOfMonitor),
  };
}

function endOf(point: Point | undefined): number {
  return point ? point.second + point.width : 0;
}
