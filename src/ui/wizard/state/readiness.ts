import { HERE, MAX_LOAD_GENERATORS } from '#core/plan/schema/hosts.ts';
import { type Ask, isPublic } from '#core/review/asks/ask.ts';
import { visibleLine } from '#core/base/text.ts';
import type { Issue } from '#core/plan/issues.ts';
import { openingPages } from '#core/presentation/document/titles.ts';
import type { Role } from '#core/machines/checks/finding.ts';
import { MAX_MONITORS } from '#core/plan/schema/monitors.ts';
import { words } from '#ui/words/words.ts';
import { completeUrl, urlProblem } from '#core/plan/url.ts';
import type { Preset } from '#core/presets/schema.ts';
import type { WizardState } from './types.ts';

/** Whether a page may be left forwards: yes, as soon as something arrives, or not and why. */
export type Readiness =
  | { readonly status: 'ready' }
  | { readonly status: 'pending'; readonly because: string }
  | { readonly status: 'notYet'; readonly because: string };

export const READY: Readiness = { status: 'ready' };

const notYet = (because: string): Readiness => ({ status: 'notYet', because });
const pending = (because: string): Readiness => ({ status: 'pending', because });

/** What the field of the first page knows. */
export interface PasteFacts {
  readonly isEmpty: boolean;
  readonly isTaking: boolean;
  readonly pasted: { readonly tooLarge: boolean };
}

/** What was entered is taken first, as far as it can be. */
export function questionReadiness(state: Pick<WizardState, 'source'>, { isEmpty, isTaking, pasted }: PasteFacts): Readiness {
  const { notYet: say } = words.wizard;
  if (pasted.tooLarge) return notYet(say.noFile);
  if (!isEmpty) return isTaking ? pending(say.reading) : READY;
  return state.source ? READY : notYet(say.noQuestion);
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
  return hasPlan ? READY : notYet(words.wizard.notYet.planIssues(1));
}

/** What the card “Run from” knows. */
export interface WhereFacts {
  /** The machines with a part in the load. */
  readonly roles: readonly { readonly name: string; readonly role: Role }[];
  /** Names of the hosts in the list; null: not known yet. */
  readonly hosts: readonly string[] | null;
}

/** The list of hosts is no condition where nothing but this computer has a part. */
export function whereReadiness({ roles, hosts }: WhereFacts): Readiness {
  const { notYet: say } = words.wizard;
  const makers = roles.filter(({ role }) => role === 'generator').length;
  if (makers === 0) return notYet(say.noGenerator);
  if (makers > MAX_LOAD_GENERATORS) return notYet(say.manyGenerators(MAX_LOAD_GENERATORS));
  if (roles.length - makers > MAX_MONITORS) return notYet(say.manyWatched(MAX_MONITORS));
  const wanted = roles.flatMap(({ name }) => (name === HERE ? [] : [name]));
  if (wanted.length === 0) return READY;
  if (hosts === null) return pending(say.hosts);
  const gone = wanted.filter((name) => !hosts.includes(name));
  return gone.length > 0 ? notYet(say.noSuchHost(gone.join(', '))) : READY;
}

/** What somebody has to agree to, in a sentence. */
export function openWords(missing: readonly Ask[]): string {
  if (missing.some((ask) => !isPublic(ask))) return words.agreement.missing;
  return words.agreement.missingHosts(missing.map(({ name }) => visibleLine(name)).join(', '));
}

/** What the page Check knows. `missing`: what nobody has agreed to; null: not checked yet. */
export interface CheckFacts extends PlanFacts {
  readonly where: Readiness;
  readonly missing: readonly Ask[] | null;
  readonly isStarting: boolean;
  /** Pages that are seen before the load begins. */
  readonly watchedPages: number;
}

export function checkReadiness({ missing, isStarting, watchedPages, where, ...facts }: CheckFacts): Readiness {
  // A plan that nobody sends cannot be ready either: that somebody has to send it says what to do.
  if (where.status === 'notYet') return where;
  const plan = loadReadiness(facts);
  if (plan.status !== 'ready') return plan;
  if (where.status !== 'ready') return where;
  if (missing === null) return pending(words.wizard.notYet.checking);
  if (missing.length > 0) return notYet(openWords(missing));
  return isStarting ? pending(openingPages(watchedPages) || words.wizard.notYet.starting) : READY;
}

/** The first error about a field or a part of it, by its path; null when there is none. */
export function messageAt(issues: readonly Issue[], path: string): string | null {
  const worst = issues.find((issue) => issue.level === 'error' && isWithin(issue, path));
  return worst ? messageOf(worst) : null;
}

/** As {@link messageAt}, of the errors that none of some fields within it shows. */
export function messageBeside(issues: readonly Issue[], path: string, fields: readonly string[]): string | null {
  return messageAt(
    issues.filter((issue) => !fields.some((field) => isWithin(issue, `${path}.${field}`))),
    path,
  );
}

/** What a schema says names the field by its path; beside the field only what to do is left to say. */
const SCHEMA_CODES = new Set(['TOO_SMALL', 'TOO_LARGE', 'WRONG_TYPE', 'MISSING', 'NOT_ONE_OF']);

function messageOf({ code, message, hint }: Issue): string {
  return (SCHEMA_CODES.has(code) && hint !== '' ? [hint] : [message, hint]).filter(Boolean).join(' ');
}

function isWithin(issue: Issue, path: string): boolean {
  return issue.path === path || issue.path.startsWith(`${path}.`) || issue.path.startsWith(`${path}[`);
}

export const answerPath = (question: string): string => `answers.${question}`;
export const LOAD_FIELDS = { thinkTime: 'load.thinkTime', maxInFlight: 'load.maxInFlight' } as const;
export const stagePath = (index: number): string => `load.stages[${index}]`;
export const objectivePath = (index: number): string => `objectives[${index}]`;

/** True when the issue is an error that a field of the page Load shows beside itself. */
export function belongsTo(issue: Issue, preset: Preset | null, stages: number, objectives: number): boolean {
  if (issue.level !== 'error') return false;
  const fields = [
    ...(preset?.questions.map(({ id }) => answerPath(id)) ?? []),
    ...Object.values(LOAD_FIELDS),
    ...Array.from({ length: stages }, (_, index) => stagePath(index)),
    ...Array.from({ length: objectives }, (_, index) => objectivePath(index)),
  ];
  return fields.some((path) => messageAt([issue], path) !== null);
}
