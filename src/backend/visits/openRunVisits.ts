import { THIS_COMPUTER } from '#core/plan/schema/hosts.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { findBrowserHost } from '#core/plan/watchPages.ts';
import type { SshConnection } from '#backend/remote/ssh/connection.ts';
import { openOwnBrowser } from './browser.ts';
import type { TextSource } from './enteredTexts.ts';
import { openHostBrowser } from './hostBrowser.ts';
import { RunVisits } from './runVisits.ts';

export interface VisitsParts {
  /** Names of the computers that generate the load. */
  readonly generators: readonly string[];
  /** Connects to a host. Throws the errors from connecting. */
  readonly enterHost: (name: string) => Promise<SshConnection>;
  readonly version: string;
  /** Number of visits to each page before the load, and again after it. Default: enough for a median. */
  readonly withoutLoad?: number | undefined;
  /** Whether every page must load before the load test starts. */
  readonly mustWork: boolean;
  /** The source of texts that visitors of journeys enter. */
  readonly entered: TextSource;
}

/**
 * Starts the browser of a plan, on this computer or on its host, and visits each page without load. Returns null if the plan watches no
 * page. If it throws, nothing is left running.
 */
export async function openRunVisits(
  plan: Plan,
  { generators, enterHost, version, withoutLoad, mustWork, entered }: VisitsParts,
): Promise<RunVisits | null> {
  if ((plan.watchPages ?? []).length === 0) return null;
  const host = findBrowserHost(plan);
  const placedBrowser = host === null ? await openOwnBrowser(plan) : await openHostBrowser(await enterHost(host), plan);
  return RunVisits.open({
    plan,
    placed: placedBrowser,
    isBesideLoad: generators.includes(placedBrowser.from ?? THIS_COMPUTER),
    identity: plan.identify ? `Holdfast/${version}` : '',
    withoutLoad,
    mustWork,
    entered,
  });
}
