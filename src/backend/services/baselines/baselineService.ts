import type { CallHandlers } from '#contract/rpc/server.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { ONLY_CELL_NAME } from '#core/series/cells.ts';
import type { RunRecord } from '#backend/store/rows.ts';
import type { Store } from '#backend/store/store.ts';
import { MAX_BASELINE_RUNS, outlineOf, getBaselineIdentity, listRepeats } from '#backend/store/baselineOfRun.ts';

/** Creates the calls that make runs the baseline of their question and target. */
export function createBaselineCalls(store: Store): Pick<CallHandlers, 'baselines.set' | 'baselines.remove' | 'baselines.list'> {
  function requireOneTest(records: readonly RunRecord[]): void {
    const tests = new Set(
      records.map((record) => JSON.stringify([getBaselineIdentity(store, record), record.series_cell ?? ONLY_CELL_NAME])),
    );
    if (tests.size > 1) throw severalTests();
  }

  return {
    'baselines.set': ({ runIds }) => {
      const records = [
        ...new Map(runIds.flatMap((id) => listRepeats(store, store.find(id))).map((record) => [record.id, record])).values(),
      ];
      const [first] = records;
      if (first === undefined) throw incompleteRun();
      requireOneTest(records);
      const whole = records.filter(({ state }) => state === 'finished').slice(0, MAX_BASELINE_RUNS);
      if (whole.length === 0) throw incompleteRun();
      store.setBaseline(
        getBaselineIdentity(store, first),
        whole.map(({ key }) => key),
        Date.now(),
      );
      return { runIds: whole.map(({ id }) => id) };
    },
    'baselines.remove': ({ runId }) => {
      const of = getBaselineIdentity(store, store.find(runId));
      const runs = store.findBaseline(of)?.runs ?? [];
      store.removeBaseline(of);
      return { runIds: runs.map(({ id }) => id) };
    },
    'baselines.list': () => ({ baselines: store.listBaselines().map(outlineOf) }),
  };
}

function severalTests(): HoldfastError {
  return new HoldfastError({
    code: 'NOT_ONE_TEST',
    message: 'These runs cannot be one baseline: they have different questions, targets or cells.',
    hint: 'Name runs of the same preset or plan against the same address. Of a series with several cells, name runs of one cell.',
  });
}

function incompleteRun(): HoldfastError {
  return new HoldfastError({
    code: 'NOT_WHOLE',
    message: 'None of these runs finished. A baseline needs one that did.',
    hint: 'Name a finished run.',
  });
}
