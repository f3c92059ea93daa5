import { THIS_COMPUTER } from '#core/plan/schema/hosts.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { browserHostOf } from '#core/plan/watchPages.ts';
import type { SshConnection } from '#backend/remote/ssh/connection.ts';
import { openOwnBrowser } from './browser.ts';
import type { EnteredFrom } from './enteredTexts.ts';
import { openHostBrowser } from './hostBrowser.ts';
import { RunVisits } from './runVisits.ts';

export interface VisitsParts {
  /** Names of the computers that make the load. */
  readonly generators: readonly string[];
  /** Enters a host. Throws what that does. */
  readonly enterHost: (name: string) => Promise<SshConnection>;
  readonly version: string;
  /** How often each page is seen before the load, and again after it; left out, as often as a median wants. */
  readonly withoutLoad?: number | undefined;
  /** Whether every page has to be seen before the load. */
  readonly mustWork: boolean;
  /** What the visitors of journeys enter. */
  readonly entered: EnteredFrom;
}

/**
 * Starts the browser of a plan, here or on its host, and sees each page without load; null where the plan names no page. Throws what keeps it from that;
 * nothing is left running then.
 */
export async function openRunVisits(
  plan: Plan,
  { generators, enterHost, version, withoutLoad, mustWork, entered }: VisitsParts,
): Promise<RunVisits | null> {
  if ((plan.watchPages ?? []).length === 0) return null;
  const host = browserHostOf(plan);
  const placed = host === null ? await openOwnBrowser(plan) : await openHostBrowser(await enterHost(host), plan);
  return RunVisits.open({
    plan,
    placed,
    isBesideLoad: generators.includes(placed.from ?? THIS_COMPUTER),
    identity: plan.identify ? `Holdfast/${version}` : '',
    withoutLoad,
    mustWork,
    entered,
  });
}
