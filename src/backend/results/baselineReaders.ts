import { createPointOfWindows } from '#core/result/pointSeries.ts';
import type { Point } from '#core/result/schema.ts';
import type { CallOutput } from '#contract/api.ts';
import { type BaselineOf, judgeStanding } from '#core/comparison/baseline.ts';
import { type ComparedRun, toComparedRun, type ComparedSide } from '#core/comparison/comparedRun.ts';
import { compareWithBaseline } from '#core/comparison/compareSides.ts';
import type { Comparison, Pair } from '#core/comparison/schema.ts';
import type { RunResult } from '#core/result/schema.ts';
import type { RunRecord } from '#backend/store/rows.ts';
import type { Store } from '#backend/store/store.ts';
import { type Distribution, createDistributionCollector } from '#core/result/distribution.ts';
import type { Spread } from '#core/presentation/document/spread.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import type { Window } from '#core/measurement/window.ts';
import type { BaselineRecord } from '../store/machineTables.ts';
import { MAX_BASELINE_RUNS, outlineOf, getBaselineIdentity, listRepeats } from '../store/baselineOfRun.ts';
import type { Log } from '../log.ts';
import type { ResultReaders } from './questions.ts';

/** Maximum number of runs whose comparison data is cached. Comparison data is small, unlike the result that it comes from. */
const MAX_CACHED_RUNS = 1_000;

/** Compares runs with the baseline of their question. `runResult` throws `NO_SUCH_RUN`. */
export function createBaselineReaders(
  store: Store,
  runResult: (runId: string) => RunResult,
): Pick<ResultReaders, 'baselines.compare' | 'baselines.standings'> {
  const kept = new Map<string, ComparedRun>();

  function compared({ id, name, note, ended_at }: RunRecord): ComparedRun {
    const cached = kept.get(id);
    if (cached !== undefined) return { ...cached, name, note };
    const run = toComparedRun(runResult(id));
    if (kept.size >= MAX_CACHED_RUNS) kept.clear();
    if (ended_at !== null) kept.set(id, run);
    return run;
  }

  /** Yields to other requests between runs, because reading long results takes time. */
  async function readSide(name: string, records: readonly RunRecord[]): Promise<ComparedSide> {
    const runs: ComparedRun[] = [];
    for await (const record of yieldInTurns(records.slice(0, MAX_BASELINE_RUNS))) runs.push(compared(record));
    return { name, runs };
  }

  /**
   * A repeat that belongs to the baseline must not be on both sides, so only the other repeats are compared. Interrupted and later repeats
   * do not belong to the baseline.
   */
  async function compare(baseline: BaselineRecord, record: RunRecord): Promise<Comparison> {
    const now = listRepeats(store, record).filter((one) => !isPartOf(baseline, one));
    return compareWithBaseline(await readSide('the baseline', baseline.runs), await readSide(record.name, now));
  }

  return {
    'baselines.compare': async ({ runId }) => {
      const record = store.find(runId);
      const baseline = store.findBaseline(getBaselineIdentity(store, record));
      if (baseline === null) return { baseline, isPart: false, comparison: null };
      const comparison = isComparable(baseline, record) ? await compare(baseline, record) : null;
      return { baseline: outlineOf(baseline), isPart: isPartOf(baseline, record), comparison };
    },
    'baselines.standings': async ({ runIds }) => {
      const standings: CallOutput<'baselines.standings'>['standings'] = [];
      // Baselines are cached by question, because most runs of a list share a few questions.
      const baselineOnce = cacheBy((of: BaselineOf) => JSON.stringify(of), store.findBaseline);
      const pairOnce = cacheBy<BaselineCandidate, Promise<Pair | null>>(
        ({ record: { id, name, series_id, series_cell } }) => JSON.stringify([series_id ?? id, series_cell, name]),
        async ({ baseline, record }) => (await compare(baseline, record)).pairs[0] ?? null,
      );
      for await (const runId of yieldInTurns(runIds)) {
        const record = store.find(runId);
        const baseline = baselineOnce(getBaselineIdentity(store, record));
        if (baseline === null) continue;
        if (isPartOf(baseline, record)) standings.push({ runId, standing: 'isBaseline', sentence: '' });
        const pair = isComparable(baseline, record) ? await pairOnce({ baseline, record }) : null;
        if (pair !== null) standings.push({ runId, standing: judgeStanding(pair), sentence: pair.sentence });
      }
      return { standings };
    },
  };
}

interface BaselineCandidate {
  readonly baseline: BaselineRecord;
  readonly record: RunRecord;
}

/** Caches the results of `find` by key. */
function cacheBy<Input, Value extends object | null>(keyOf: (input: Input) => string, find: (input: Input) => Value) {
  const known = new Map<string, Value>();
  return (input: Input): Value => {
    const key = keyOf(input);
    const before = known.get(key);
    if (before !== undefined) return before;
    const value = find(input);
    known.set(key, value);
    return value;
  };
}

function isPartOf({ runs }: BaselineRecord, { id }: RunRecord): boolean {
  return runs.some((run) => run.id === id);
}

/**
 * Returns whether a run is compared with its baseline: the run has ended, is not part of the baseline, and did not start before every run
 * of the baseline.
 */
function isComparable(baseline: BaselineRecord, record: RunRecord): boolean {
  if (record.ended_at === null || isPartOf(baseline, record)) return false;
  return baseline.runs.some(({ started_at }) => started_at <= record.started_at);
}

/** Maximum time in ms that reading may block the event loop. */
const MAX_BLOCKED_MS = 12;

/** Yields the values of an iterable, and lets other tasks of the thread run if that takes long. */
export async function* yieldInTurns<Value>(values: Iterable<Value>): AsyncGenerator<Value> {
  let since = performance.now();
  for (const value of values) {
    yield value;
    if (performance.now() - since < MAX_BLOCKED_MS) continue;
    await new Promise((resolve) => setImmediate(resolve));
    since = performance.now();
  }
}

/** Reads the time distribution of a run. An hour of histograms takes seconds to read, so other tasks run between slices. */
async function readDistribution(plan: Plan, slices: Iterable<readonly Window[]>): Promise<Distribution> {
  const distribution = createDistributionCollector(plan);
  for await (const slice of yieldInTurns(slices)) for (const window of slice) distribution.add(window);
  return distribution.end();
}

/** Sums the windows of a range into one point. */
export async function sumPointOfRange(slices: Iterable<readonly Window[]>): Promise<Point | null> {
  const sum = createPointOfWindows();
  for await (const slice of yieldInTurns(slices)) for (const window of slice) sum.add(window);
  return sum.end();
}

/** Maximum number of windows that a report reads, so that it is ready within seconds. */
const MAX_REPORT_WINDOWS = 1_200;

interface Distributions {
  /** Returns the time distribution of a run. Ended runs are read only once. */
  of(runId: string): Promise<Distribution>;
  /** Returns the distribution for a report, or 'tooLong' if computing it would take too long. */
  ofReport(runId: string): Promise<Spread>;
  /** Reads the distribution of a long run right after its end, before anyone needs it. Never throws. */
  prepare(runId: string): Promise<void>;
}

export function createDistributions(store: Store, log: Pick<Log, 'failure'>, maxWindows = MAX_REPORT_WINDOWS): Distributions {
  /** Reads in progress, shared by simultaneous requests. */
  const pending = new Map<string, Promise<Distribution>>();

  async function read(runId: string): Promise<Distribution> {
    const { key, ended_at: endedAt } = store.find(runId);
    const made = await readDistribution(store.details(key).plan, store.windowSlices(key));
    if (endedAt === null) return made;
    try {
      store.saveDistribution(key, made);
    } catch (thrown) {
      log.failure('how the times of a run are spread could not be stored; it is read again when it is asked for', thrown);
    }
    return made;
  }

  const findStored = (runId: string): Distribution | null => {
    const { key, ended_at: endedAt } = store.find(runId);
    return endedAt === null ? null : store.distribution(key);
  };

  async function distributionOf(runId: string): Promise<Distribution> {
    const found = findStored(runId);
    if (found !== null) return found;
    const reading = pending.get(runId) ?? read(runId).finally(() => pending.delete(runId));
    pending.set(runId, reading);
    return reading;
  }

  return {
    of: distributionOf,
    async ofReport(runId) {
      const isLong = store.countWindows(store.find(runId).key) > maxWindows;
      return isLong && !pending.has(runId) ? (findStored(runId) ?? 'tooLong') : distributionOf(runId);
    },
    async prepare(runId) {
      try {
        if (store.countWindows(store.find(runId).key) > maxWindows) await distributionOf(runId);
      } catch (thrown) {
        log.failure('how the times of a run are spread could not be read', thrown);
      }
    },
  };
}
