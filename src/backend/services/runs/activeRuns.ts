import type { CallOutput, StreamItem } from '#contract/api.ts';
import type { RunRow, LiveSnapshot } from '#contract/replies.ts';
import type { Sink } from '#contract/rpc/server.ts';
import type { Log } from '#backend/log.ts';
import { rowOf, headOf } from '#backend/store/rows.ts';
import type { Store } from '#backend/store/store.ts';
import { toProblem } from '#core/base/errors.ts';
import { buildRunHistory, MAX_HISTORY_RUNS, measureErrors, type RunHistory } from '#core/comparison/runHistory.ts';
import type { GeneratorReading } from '#core/result/schema.ts';
import { listWatchedReadings } from '#core/result/readings.ts';
import { InFlightByGenerator, type GeneratorWindow, mergeGenerators, worstReading } from '#backend/store/folding.ts';
import { LiveView } from './liveView.ts';

type ActiveItem = StreamItem<'runs.active'>;

/** Interval for polling the store, because only the store knows the runs of other processes. It is polled only while there are readers. */
const POLL_EVERY_MS = 2_000;

export type ActiveRuns = ReturnType<typeof createActiveRuns>;

/** Creates the stream that reports the active runs of all processes that share the store. */
export function createActiveRuns(store: Store, recover: () => void, log: Log) {
  const readers = new Set<Sink<ActiveItem>>();
  let timer: NodeJS.Timeout | undefined;
  let soon: NodeJS.Immediate | undefined;
  let last = '';

  function report(): void {
    if (readers.size === 0) return;
    try {
      const runs = listGoing(store);
      const text = JSON.stringify(runs);
      if (text === last) return;
      last = text;
      for (const reader of readers) reader.item({ runs });
    } catch (thrown) {
      log.failure('the active runs could not be read', thrown);
    }
  }
  function poll(): void {
    recover();
    report();
  }

  return {
    subscribe(sink: Sink<ActiveItem>): () => void {
      recover();
      const runs = listGoing(store);
      readers.add(sink);
      sink.item({ runs });
      timer ??= setInterval(poll, POLL_EVERY_MS);
      return () => {
        readers.delete(sink);
        if (readers.size > 0) return;
        clearInterval(timer);
        timer = undefined;
      };
    },
    /** Notifies readers that a run of this process has changed. Simultaneous changes are sent once. */
    notifyReaders(): void {
      if (readers.size === 0) return;
      soon ??= setImmediate(() => {
        soon = undefined;
        report();
      });
    },
    close(): void {
      clearInterval(timer);
      clearImmediate(soon);
      readers.clear();
    },
  };
}

function listGoing(store: Store): RunRow[] {
  return store.listUnended().map(rowOf);
}

/** Maximum number of runs in a trend, which is drawn as a sparkline as wide as a word. */
const MAX_TREND_RUNS = 12;

/** Returns, for each of these runs, the run and earlier ones with the same name and target. Unknown and active runs are left out. */
export function listTrends(store: Store, runIds: readonly string[]): CallOutput<'runs.trends'> {
  const asked = new Set(runIds);
  const names = store.namesOf(runIds);
  const alike = Map.groupBy(store.endedOfNames(names).map(rowOf), ({ name, target }) => JSON.stringify([name, target]));
  return [...alike.values()].flatMap((runs) =>
    runs.flatMap(({ id }, index) => {
      const until = runs.slice(Math.max(0, index + 1 - MAX_TREND_RUNS), index + 1);
      return asked.has(id) ? [{ runId: id, runIds: until.map((run) => run.id), p95Ms: until.map(({ p95Ms }) => p95Ms) }] : [];
    }),
  );
}

/** Returns the finished runs with the name, target and load of this run, and the changes between them. Throws `NO_SUCH_RUN`. */
export function readHistory(store: Store, runId: string): RunHistory {
  const run = rowOf(store.find(runId));
  const load = (row: RunRow): string => JSON.stringify(row.load);
  const rows = store.finishedOf(run.name, run.target, MAX_HISTORY_RUNS);
  const own = rows.find(({ id }) => id === runId) ?? rows.at(-1);
  const alike = rows.filter((row) => own === undefined || load(row) === load(own));
  return buildRunHistory(
    alike.map(({ id, startedAt, p95Ms, completedPerSecond, failed, due, note }) => ({
      id,
      startedAt,
      p95Ms: typeof p95Ms === 'number' ? p95Ms : null,
      completedPerSecond,
      errors: failed === null || due === null ? null : measureErrors(failed, due),
      note,
    })),
  );
}

const FOLLOW_INTERVAL_MS = 1_000;
/** Maximum time to wait for generators that have not reported a second yet. */
const MAX_LATE_SECONDS = 3;

interface FollowParts {
  readonly store: Store;
  /** Ends runs whose process has ended. */
  readonly recover: () => void;
}

/**
 * Sends a run of another process to a reader: reads it from the store once a second until the run has ended. Returns a function that
 * removes the reader.
 */
export function followRun({ store, recover }: FollowParts, runId: string, sink: Sink<LiveSnapshot>): () => void {
  const record = store.find(runId);
  const { plan } = store.details(record.key);
  const levels = new InFlightByGenerator();
  const view = new LiveView(plan);
  let nextSecond = 0;
  let eventsSeen = 0;
  const monitorsUntil = new Map<number, number>();

  const readUpdate = (hasEnded: boolean) => {
    const generatorWindows = store.generatorWindows(record.key, nextSecond);
    const newest = Math.max(0, ...generatorWindows.map(({ window }) => window.second));
    const generators = store.generators(record.key);
    view.setGenerators(generators);
    const waitsFor = !hasEnded && generators.length > 1 ? MAX_LATE_SECONDS : 0;
    const complete = generatorWindows.filter(({ window }) => window.second <= newest - waitsFor);
    const generatorPoints = complete.flatMap((generatorWindow) => view.addGeneratorWindow(generatorWindow));
    const points = [...mergeGenerators(complete, levels)].map((window) => {
      nextSecond = window.second + window.width;
      return view.add(window, mergeReadingsAt(complete, window.second));
    });
    const events = store.events(record.key).slice(eventsSeen);
    eventsSeen += events.length;
    for (const event of events) view.addEvent(event);
    const monitors = store.monitorInfos(record.key).map((info) => {
      const news = store.monitorPoints(record.key, info.number, monitorsUntil.get(info.number) ?? 0);
      const last = news.at(-1);
      if (last) monitorsUntil.set(info.number, last.second + last.width);
      return { info, points: news };
    });
    view.addMonitors(monitors);
    return { points, watched: listWatchedReadings(complete.map(({ reading }) => reading)), generatorPoints, events, monitors };
  };
  const poll = (): void => {
    try {
      recover();
      const current = headOf(store.find(runId));
      sink.item(view.update(current, null, readUpdate(current.endedAt !== null)));
      if (current.endedAt === null) return;
      clearInterval(timer);
      sink.end();
    } catch (thrown) {
      clearInterval(timer);
      sink.end(toProblem(thrown));
    }
  };

  readUpdate(false);
  sink.item(view.fullState(headOf(record), null));
  const timer = setInterval(poll, FOLLOW_INTERVAL_MS);
  return () => clearInterval(timer);
}

function mergeReadingsAt(generatorWindows: readonly GeneratorWindow[], second: number): GeneratorReading | null {
  const [first, ...others] = generatorWindows.filter(({ window }) => window.second === second).map(({ reading }) => reading);
  return first === undefined ? null : worstReading(first, others);
}
