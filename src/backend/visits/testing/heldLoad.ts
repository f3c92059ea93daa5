import type { LiveSnapshot } from '#contract/replies.ts';
import type { Client } from '#contract/rpc/client.ts';
import type { PlanInput } from '#core/plan/schema/plan.ts';
import { watchToEnd } from '#backend/testing/backend.ts';

/**
 * A load of one request to `/held`, whose response the test releases. Visits therefore happen during the load, however busy the machine is.
 */
export const HELD_LOAD = {
  load: { model: 'connections', stages: [{ connections: 1, requests: 1 }] },
  timeoutSeconds: 120,
} satisfies Partial<PlanInput>;

/** Follows a run with this load to its end. The first visit during the load releases the response. */
export async function watchVisited(
  client: Client,
  runId: string,
  { held }: { readonly held: PromiseWithResolvers<void> },
  onItem: (item: LiveSnapshot) => void = () => {},
): Promise<void> {
  await watchToEnd(client, runId, (item) => {
    onItem(item);
    if (item.visit?.when === 'during') held.resolve();
  });
}
