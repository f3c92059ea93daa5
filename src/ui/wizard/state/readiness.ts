import { HERE, MAX_LOAD_GENERATORS } from '#core/plan/schema/hosts.ts';
import { type Ask, isPublic } from '#core/review/asks/ask.ts';
import { visibleLine } from '#core/base/text.ts';
import type { Issue } from '#core/plan/issues.ts';
import { openingPages } from '#core/presentation/document/words.ts';
import type { Role } from '#core/machines/checks/finding.ts';
import { MAX_MONITORS } from '#core/plan/schema/monitors.ts';
import { words } from '#ui/words/words.ts';
import { completeUrl, urlProblem } from '#core/plan/url.ts';
import type { Preset } from '#core/presets/schema.ts';
import type { WizardState } from './types.ts';

/** Whether Next is possible: now, after a pending result, or not yet. The last two states have a reason. */
export type Readiness =
  | { readonly status: 'ready' }
  | { readonly status: 'pending'; readonly because: string }
  | { readonly status: 'notYet'; readonly because: string };

export const READY: Readiness = { status: 'ready' };

const notReady = (because: string): Readiness => ({ status: 'notYet', because });
const pendingReadiness = (because: string): Readiness => ({ status: 'pending', because });

/** State of the input field on the first page. */
interface PasteFacts {
  readonly isEmpty: boolean;
  readonly isTaking: boolean;
  readonly isPreset: boolean;
  readonly pasted: { readonly tooLarge: boolean };
}

/** Returns the readiness of the first page. Entered text takes precedence over a question that was chosen. */
export function questionReadiness(state: Pick<WizardState, 'source'>, { isEmpty, isTaking, isPreset, pasted }: PasteFacts): Readiness {
  const { notYet: say } = words.wizard;
  if (pasted.tooLarge) return notReady(say.noFile);
  if (isPreset) return notReady(say.addPreset);
  if (!isEmpty) return isTaking ? pendingReadiness(say.reading) : READY;
  return state.source ? READY : notReady(say.noQuestion);
}

export function targetReadiness(state: WizardState): Readiness {
  const { notYet: say } = words.wizard;
  if (state.targets.some(({ url }) => url.trim() === '')) return notReady(state.targets.length === 1 ? say.noAddress : say.emptyAddress);
  if (state.targets.some(({ url }) => urlProblem(url) !== null)) return notReady(say.wrongAddress);
  const addresses = state.targets.map(({ url }) => completeUrl(url));
  if (new Set(addresses).size < addresses.length) return notReady(say.sameAddress);
  if (state.targets.some(({ headers }) => headers.some(({ value }) => value.kind === 'toKeep'))) return notReady(say.openHeader);
  return READY;
}

/** State of the current plan on the page Load. */
export interface PlanFacts {
  readonly isWorking: boolean;
  readonly hasPlan: boolean;
  readonly issues: readonly Issue[];
  readonly failed: boolean;
}

export function loadReadiness({ isWorking, hasPlan, issues, failed }: PlanFacts): Readiness {
  const errors = issues.filter(({ level }) => level === 'error');
  if (failed) return notReady(words.wizard.notYet.planFailed);
  if (errors.length > 0) return notReady(words.wizard.notYet.planIssues(errors.length));
  if (isWorking) return pendingReadiness(words.wizard.notYet.planWorking);
  return hasPlan ? READY : notReady(words.wizard.notYet.planIssues(1));
}

/** State of the section “Run from”. */
export interface WhereFacts {
  /** Machines with a role in the load. */
  readonly roles: readonly { readonly name: string; readonly role: Role }[];
  /** Names of the hosts in the list; null while the list is loading. */
  readonly hosts: readonly string[] | null;
}

/** Returns the readiness of the choice of machines. The list of hosts is needed only if a host has a role. */
export function whereReadiness({ roles, hosts }: WhereFacts): Readiness {
  const { notYet: say } = words.wizard;
  const generators = roles.filter(({ role }) => role === 'generator').length;
  if (generators === 0) return notReady(say.noGenerator);
  if (generators > MAX_LOAD_GENERATORS) return notReady(say.manyGenerators(MAX_LOAD_GENERATORS));
  if (roles.length - generators > MAX_MONITORS) return notReady(say.manyWatched(MAX_MONITORS));
  const wanted = roles.flatMap(({ name }) => (name === HERE ? [] : [name]));
  if (wanted.length === 0) return READY;
  if (hosts === null) return pendingReadiness(say.hosts);
  const gone = wanted.filter((name) => !hosts.includes(name));
  return gone.length > 0 ? notReady(say.noSuchHost(gone.join(', '))) : READY;
}

/** Returns a sentence about missing permissions. */
function permissionText(missing: readonly Ask[]): string {
  if (missing.some((ask) => !isPublic(ask))) return words.agreement.missing;
  return words.agreement.missingHosts(missing.map(({ name }) => visibleLine(name)).join(', '));
}

/** State of the page Check. `missing` has the permissions that were not given; null if that has not been checked yet. */
export interface CheckFacts extends PlanFacts {
  readonly where: Readiness;
  readonly missing: readonly Ask[] | null;
  readonly isStarting: boolean;
  /** Number of pages that a browser visits before the load begins. */
  readonly watchedPages: number;
}

export function checkReadiness({ missing, isStarting, watchedPages, where, ...facts }: CheckFacts): Readiness {
  // This is checked first. A plan without a load generator is not ready either, but this reason is more helpful.
  if (where.status === 'notYet') return where;
  const plan = loadReadiness(facts);
  if (plan.status !== 'ready') return plan;
  if (where.status !== 'ready') return where;
  if (missing === null) return pendingReadiness(words.wizard.notYet.checking);
  if (missing.length > 0) return notReady(permissionText(missing));
  return isStarting ? pendingReadiness(openingPages(watchedPages) || words.wizard.notYet.starting) : READY;
}

/** Returns the first error about a field or a part of it, by the field's path; null if there is none. */
export function messageAt(issues: readonly Issue[], path: string): string | null {
  const worst = issues.find((issue) => issue.level === 'error' && isWithin(issue, path));
  return worst ? toMessage(worst) : null;
}

/** Returns the same as {@link messageAt}, but only for errors that none of the given inner fields shows. */
export function messageBeside(issues: readonly Issue[], path: string, fields: readonly string[]): string | null {
  return messageAt(
    issues.filter((issue) => !fields.some((field) => isWithin(issue, `${path}.${field}`))),
    path,
  );
}

/** Codes of schema errors. Their message names the field, so only the hint is shown next to the field. */
const SCHEMA_CODES = new Set(['TOO_SMALL', 'TOO_LARGE', 'WRONG_TYPE', 'MISSING', 'NOT_ONE_OF']);

function toMessage({ code, message, hint }: Issue): string {
  return (SCHEMA_CODES.has(code) && hint !== '' ? [hint] : [message, hint]).filter(Boolean).join(' ');
}

function isWithin(issue: Issue, path: string): boolean {
  return issue.path === path || issue.path.startsWith(`${path}.`) || issue.path.startsWith(`${path}[`);
}

export const answerPath = (question: string): string => `answers.${question}`;
export const LOAD_FIELDS = { thinkTime: 'load.thinkTime', paceSeconds: 'load.paceSeconds', maxInFlight: 'load.maxInFlight' } as const;
export const stagePath = (index: number): string => `load.stages[${index}]`;
export const criterionPath = (index: number): string => `criteria[${index}]`;

/** Returns whether the issue is an error that a field on the page Load shows. */
export function belongsTo(issue: Issue, preset: Preset | null, stages: number, criteria: number): boolean {
  if (issue.level !== 'error') return false;
  const fields = [
    ...(preset?.questions.map(({ id }) => answerPath(id)) ?? []),
    ...Object.values(LOAD_FIELDS),
    ...Array.from({ length: stages }, (_, index) => stagePath(index)),
    ...Array.from({ length: criteria }, (_, index) => criterionPath(index)),
  ];
  return fields.some((path) => messageAt([issue], path) !== null);
}
