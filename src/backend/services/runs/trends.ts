import type { CallOutput } from '#contract/api.ts';
import { rowOf } from '#backend/store/rows.ts';
import type { Store } from '#backend/store/store.ts';

/** As many runs as a line of the size of a word can show. */
const LENGTH = 12;

/** Where the runs of one name against one target have come from, up to each of these runs. Runs that are unknown or still going have none. */
export function trendsOf(store: Store, runIds: readonly string[]): CallOutput<'runs.trends'> {
  const asked = new Set(runIds);
  const names = store.namesOf(runIds);
  const alike = Map.groupBy(store.endedOfNames(names).map(rowOf), ({ name, target }) => JSON.stringify([name, target]));
  return [...alike.values()].flatMap((runs) =>
    runs.flatMap(({ id }, index) => {
      const until = runs.slice(Math.max(0, index + 1 - LENGTH), index + 1);
      return asked.has(id) ? [{ runId: id, runIds: until.map((run) => run.id), p95Ms: until.map(({ p95Ms }) => p95Ms) }] : [];
    }),
  );
}
