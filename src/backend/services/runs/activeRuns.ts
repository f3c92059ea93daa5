import type { CallOutput, StreamItem } from '#contract/api.ts';
import type { RunRow } from '#contract/replies.ts';
import type { Sink } from '#contract/rpc/server.ts';
import type { Log } from '#backend/log.ts';
import { rowOf } from '#backend/store/rows.ts';
import type { Store } from '#backend/store/store.ts';

type Active = StreamItem<'runs.active'>;

/** Runs of other processes are only in the store. It is polled at this interval while there are readers. */
const POLL_EVERY_MS = 2_000;

export type ActiveRuns = ReturnType<typeof createActiveRuns>;

/** Sends its readers the active runs of all processes that share the store. */
export function createActiveRuns(store: Store, recover: () => void, log: Log) {
  const readers = new Set<Sink<Active>>();
  let timer: NodeJS.Timeout | undefined;
  let soon: NodeJS.Immediate | undefined;
  let last = '';

  function tell(): void {
    if (readers.size === 0) return;
    try {
      const runs = going(store);
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
    tell();
  }

  return {
    subscribe(sink: Sink<Active>): () => void {
      recover();
      const runs = going(store);
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
    /** A run of this process has changed. Simultaneous changes are sent once. */
    changed(): void {
      if (readers.size === 0) return;
      soon ??= setImmediate(() => {
        soon = undefined;
        tell();
      });
    },
    close(): void {
      clearInterval(timer);
      clearImmediate(soon);
      readers.clear();
    },
  };
}

function going(store: Store): RunRow[] {
  return store.going().map(rowOf);
}

/** Number of runs in a sparkline of the width of a word. */
const MAX_TREND_RUNS = 12;

/** Returns the previous runs of the same name and target for each of these runs. Unknown and active runs have none. */
export function trendsOf(store: Store, runIds: readonly string[]): CallOutput<'runs.trends'> {
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
