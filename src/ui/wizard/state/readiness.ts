import type { Issue } from '#core/plan/issues.ts';
import { words } from '#ui/words/words.ts';
import { completeUrl, urlProblem } from '#core/plan/url.ts';
import type { WizardState } from './types.ts';

/** Whether a page may be left forwards: yes, as soon as something arrives, or not and why. */
export type Readiness =
  | { readonly status: 'ready' }
  | { readonly status: 'pending'; readonly because: string }
  | { readonly status: 'notYet'; readonly because: string };

export const READY: Readiness = { status: 'ready' };

const notYet = (because: string): Readiness => ({ status: 'notYet', because });
const pending = (because: string): Readiness => ({ status: 'pending', because });

export function questionReadiness(state: WizardState): Readiness {
  return state.source ? READY : notYet(words.wizard.notYet.noQuestion);
}

export function targetReadiness(state: WizardState): Readiness {
  const { notYet: say } = words.wizard;
  if (state.targets.some(({ url }) => url.trim() === '')) return notYet(state.targets.length === 1 ? say.noAddress : say.emptyAddress);
  if (state.targets.some(({ url }) => urlProblem(url) !== null)) return notYet(say.wrongAddress);
  const addresses = state.targets.map(({ url }) => completeUrl(url));
  if (new Set(addresses).size < addresses.length) return notYet(say.sameAddress);
  if (state.targets.some(({ headers }) => headers.some(({ value }) => value.kind === 'toKeep'))) return notYet(say.openHeader);
  return READY;
}

/** What the page Load knows about the plan of the moment. */
export interface PlanFacts {
  readonly isWorking: boolean;
  readonly hasPlan: boolean;
  readonly issues: readonly Issue[];
  readonly failed: boolean;
}

export function loadReadiness({ isWorking, hasPlan, issues, failed }: PlanFacts): Readiness {
  const errors = issues.filter(({ level }) => level === 'error');
  if (failed) return notYet(words.wizard.notYet.planFailed);
  if (errors.length > 0) return notYet(words.wizard.notYet.planIssues(errors.length));
  if (isWorking) return pending(words.wizard.notYet.planWorking);
  return hasPlan ? READY : notYet(words.wizard.notYet.planIncomplete);
}

/** What the page Check knows. `publicHosts` null: not checked yet. */
export interface CheckFacts extends PlanFacts {
  readonly publicHosts: readonly string[] | null;
  readonly consents: readonly string[];
  readonly isStarting: boolean;
}

export function checkReadiness({ publicHosts, consents, isStarting, ...facts }: CheckFacts): Readiness {
  const plan = loadReadiness(facts);
  if (plan.status !== 'ready') return plan;
  if (publicHosts === null) return pending(words.wizard.notYet.checking);
  const missing = publicHosts.filter((host) => !consents.includes(host));
  if (missing.length > 0) return notYet(words.wizard.notYet.consent(missing.join(', ')));
  return isStarting ? pending(words.wizard.notYet.starting) : READY;
}
