import { putRun } from '#backend/testing/storedRun.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { repeatedWindows } from '#core/testing/windows.ts';

/** Stores a run of one page that took ten seconds, with two connections and `requests` requests in total. */
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
