import type { CallHandlers } from '#contract/rpc/server.ts';
import type { CallOutput } from '#contract/api.ts';
import { baselineOf, type BaselineOf } from '#core/comparison/baselineOf.ts';
import { comparedRunOf, type ComparedRun, type ComparedSide } from '#core/comparison/comparedRun.ts';
import { compareWithBaseline } from '#core/comparison/compareSides.ts';
import { standingOf } from '#core/comparison/standing.ts';
import type { Comparison, Pair } from '#core/comparison/schema.ts';
import { HoldfastError } from '#core/errors.ts';
import type { RunResult } from '#core/report/result.ts';
import { ONLY_CELL } from '#core/series/cells.ts';
import type { BaselineRecord } from '#backend/store/baselineTable.ts';
import type { RunRecord } from '#backend/store/rows.ts';
import type { Store } from '#backend/store/store.ts';
import { inTurns } from '../runs/inTurns.ts';

interface BaselineParts {
  readonly store: Store;
  /** Throws `NO_SUCH_RUN`. */
  readonly runResult: (runId: string) => RunResult;
}

/** Results are large and what is compared of them is small: so many runs are kept. */
const MOST_KEPT = 1_000;
const MOST_RUNS = 100;

/** Names runs the baseline of their question at their target, and sets later ones against it. */
export function createBaselineCalls({
  store,
  runResult,
}: BaselineParts): Pick<CallHandlers, Extract<keyof CallHandlers, `baselines.${string}`>> {
  const kept = new Map<string, ComparedRun>();

  function compared({ id, name, note, ended_at }: RunRecord): ComparedRun {
    const known = kept.get(id);
    if (known !== undefined) return { ...known, name, note };
    const run = comparedRunOf(runResult(id));
    if (kept.size >= MOST_KEPT) kept.clear();
    if (ended_at !== null) kept.set(id, run);
    return run;
  }

  /** To read a long result takes a while, and a load of this process may be going. */
  async function sideOf(name: string, records: readonly RunRecord[]): Promise<ComparedSide> {
    const runs: ComparedRun[] = [];
    for await (const record of inTurns(records.slice(0, MOST_RUNS))) runs.push(compared(record));
    return { name, runs };
  }

  /** A run may be renamed and stays one of its plan. */
  function ofRun({ key, preset, series_name, target }: RunRecord): BaselineOf {
    return baselineOf({ preset, planName: () => series_name ?? store.planName(key), target });
  }

  /** A run of a series stands for all repeats of its cell. */
  function repeatsOf(record: RunRecord): RunRecord[] {
    const { series_id, series_cell } = record;
    return series_id === null ? [record] : store.endedOfCell(series_id, series_cell ?? '');
  }

  /** Repeats that are the baseline themselves do not stand on both sides: one that was cut off, or made later, is none of it. */
  async function compare(baseline: BaselineRecord, record: RunRecord): Promise<Comparison> {
    const now = repeatsOf(record).filter((one) => !isPartOf(baseline, one));
    return compareWithBaseline(await sideOf('the baseline', baseline.runs), await sideOf(record.name, now));
  }

  function mustBeOfOneTest(records: readonly RunRecord[]): void {
    const tests = new Set(records.map((record) => JSON.stringify([ofRun(record), record.series_cell ?? ONLY_CELL])));
    if (tests.size > 1) throw notOneTest();
  }

  return {
    'baselines.set': ({ runIds }) => {
      const records = [...new Map(runIds.flatMap((id) => repeatsOf(store.find(id))).map((record) => [record.id, record])).values()];
      const [first] = records;
      if (first === undefined) throw notWhole();
      mustBeOfOneTest(records);
      const whole = records.filter(({ state }) => state === 'finished').slice(0, MOST_RUNS);
      if (whole.length === 0) throw notWhole();
      store.setBaseline(
        ofRun(first),
        whole.map(({ key }) => key),
        Date.now(),
      );
      return { runIds: whole.map(({ id }) => id) };
    },
    'baselines.remove': ({ runId }) => {
      const of = ofRun(store.find(runId));
      const runs = store.findBaseline(of)?.runs ?? [];
      store.removeBaseline(of);
      return { runIds: runs.map(({ id }) => id) };
    },
    'baselines.list': () => ({ baselines: store.listBaselines().map(outlineOf) }),
    'baselines.compare': async ({ runId }) => {
      const record = store.find(runId);
      const baseline = store.findBaseline(ofRun(record));
      if (baseline === null) return { baseline, isPart: false, comparison: null };
      const comparison = isAgainst(baseline, record) ? await compare(baseline, record) : null;
      return { baseline: outlineOf(baseline), isPart: isPartOf(baseline, record), comparison };
    },
    'baselines.standings': async ({ runIds }) => {
      const standings: CallOutput<'baselines.standings'>['standings'] = [];
      // Most runs of a list are of few questions, and repeats of each other.
      const baselineOnce = remembered((of: BaselineOf) => JSON.stringify(of), store.findBaseline);
      const pairOnce = remembered<Against, Promise<Pair | null>>(
        ({ record: { id, name, series_id, series_cell } }) => JSON.stringify([series_id ?? id, series_cell, name]),
        async ({ baseline, record }) => (await compare(baseline, record)).pairs[0] ?? null,
      );
      for await (const runId of inTurns(runIds)) {
        const record = store.find(runId);
        const baseline = baselineOnce(ofRun(record));
        if (baseline === null) continue;
        if (isPartOf(baseline, record)) standings.push({ runId, standing: 'isBaseline', sentence: '' });
        const pair = isAgainst(baseline, record) ? await pairOnce({ baseline, record }) : null;
        if (pair !== null) standings.push({ runId, standing: standingOf(pair), sentence: pair.sentence });
      }
      return { standings };
    },
  };
}

interface Against {
  readonly baseline: BaselineRecord;
  readonly record: RunRecord;
}

/** What is found once for each key, and given again. */
function remembered<Input, Value extends object | null>(keyOf: (input: Input) => string, find: (input: Input) => Value) {
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

/** Whether a run is to be set against its baseline: not where it is one itself, has not ended, or came before all of it. */
function isAgainst(baseline: BaselineRecord, record: RunRecord): boolean {
  if (record.ended_at === null || isPartOf(baseline, record)) return false;
  return baseline.runs.some(({ started_at }) => started_at <= record.started_at);
}

function outlineOf({ question, isPreset, target, setMs, runs }: BaselineRecord): CallOutput<'baselines.list'>['baselines'][number] {
  return { question, isPreset, target, setAt: new Date(setMs).toISOString(), runIds: runs.map(({ id }) => id) };
}

function notOneTest(): HoldfastError {
  return new HoldfastError({
    code: 'NOT_ONE_TEST',
    message: 'These runs are not of one question at one target, or of several cells of a series, so they cannot be one baseline.',
    hint: 'Name runs of the same preset, or of the same plan, against the same address; of a series with several cells, a run of one of them.',
  });
}

function notWhole(): HoldfastError {
  return new HoldfastError({
    code: 'NOT_WHOLE',
    message: 'No run of these went to its end, so there is nothing to hold later ones against.',
    hint: 'Name a run that ended by itself.',
  });
}
