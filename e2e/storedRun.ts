import { randomUUID } from 'node:crypto';
import { storeResult } from '#backend/results/resultOf.ts';
import { openStore, type Store } from '#backend/store/store.ts';
import { ofOneGenerator, storeRun } from '#backend/testing/storedRun.ts';
import type { Window } from '#core/measurement/window.ts';
import { planSchema, type PlanInput } from '#core/plan/schema/plan.ts';
import { repeatedWindows } from '#core/testing/windows.ts';

interface MeasuredRun {
  readonly plan: Omit<PlanInput, 'holdfast'>;
  readonly windows: readonly Window[];
  /** What else of the run is stored, by its key. */
  readonly also?: (store: Store, key: number) => void;
}

/** Puts a run into the store of an app without a load, for walks that judge what is shown of it. Returns its id. */
export function putRun(home: string, { plan, windows, also }: MeasuredRun): string {
  const id = randomUUID();
  const store = openStore(home);
  try {
    const startedAt = new Date(Date.now() - 1_000 * windows.length);
    const key = storeRun(store, { id, plan: planSchema.parse({ holdfast: 1, ...plan }), windows: ofOneGenerator(windows), startedAt });
    also?.(store, key);
    storeResult(store, store.find(id));
  } finally {
    store.close();
  }
  return id;
}

/** Puts a run of one page into the store: two connections, until they have sent as many requests as are said, for ten seconds. */
export function putSmallRun(home: string, name: string, requests = 40, changes: Partial<PlanInput> = {}): void {
  putRun(home, {
    plan: {
      name,
      targets: [{ url: 'http://127.0.0.1:1/' }],
      journey: [{ name: 'page' }],
      load: { model: 'connections', stages: [{ connections: 2, requests }] },
      ...changes,
    },
    windows: repeatedWindows(10, { ok: [{ count: requests / 10, ms: 500 }] }),
  });
}
