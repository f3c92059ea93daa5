import type { NumberEntry } from '#ui/components/numbers.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Answers, Preset, Question } from '#core/presets/schema.ts';
import { listAskedQuestions } from '#core/presets/conditions.ts';
import { chooseFoundPages } from '#core/presets/pageList.ts';
import { formatCount } from '#core/base/units.ts';
import { words } from '#ui/words/words.ts';
import { type Ask, askKey, isPublic, needsAgreement } from '#core/review/asks/ask.ts';
import type { Probe } from '#contract/replies.ts';
import type { Choices } from './choices.ts';
import type { WizardState } from './types.ts';

/**
 * Returns the value that is shown for a question: the entry, else the first page that was found for the question, else the preset's
 * default.
 */
export function getAnswer(question: Question, answers: Readonly<Record<string, NumberEntry>>, links: readonly string[] = []): NumberEntry {
  return getOwn(answers, question.id) ?? chooseFoundPages(question, links)[0] ?? question.default;
}

/** Returns the error message for a value, or null. Only the format of numbers is checked; the backend checks the rest. */
export function answerProblem(question: Question, answer: NumberEntry): string | null {
  if (question.kind !== 'number') return null;
  const loadWords = words.wizard.load;
  if (typeof answer !== 'number') return loadWords.numberMissing;
  if (question.whole && !Number.isInteger(answer)) return loadWords.numberWhole;
  if (answer < question.min || answer > question.max) return loadWords.numberRange(formatCount(question.min), formatCount(question.max));
  return null;
}

/** Returns the questions that apply to the current entries. */
export function questionsToAsk(preset: Preset, answers: Readonly<Record<string, NumberEntry>>): Question[] {
  return listAskedQuestions(preset, answers);
}

/** Returns the valid values of all questions that apply. */
export function usableAnswers(preset: Preset, answers: Readonly<Record<string, NumberEntry>>): Answers {
  const usable = questionsToAsk(preset, answers).filter((question) => answerProblem(question, getAnswer(question, answers)) === null);
  return Object.fromEntries(usable.map((question) => [question.id, getAnswer(question, answers)]));
}

/**
 * Returns the values of all questions that apply, for `presets.build`; null while a value is invalid. `links` are the links on the target's
 * first page.
 */
export function answersFor(preset: Preset, answers: Readonly<Record<string, NumberEntry>>, links: readonly string[] = []): Answers | null {
  const answeredQuestions = questionsToAsk(preset, answers).map((question) => [question, getAnswer(question, answers, links)] as const);
  if (answeredQuestions.some(([question, answer]) => answerProblem(question, answer) !== null)) return null;
  return Object.fromEntries(answeredQuestions.map(([question, answer]) => [question.id, answer]));
}

/**
 * Returns the links of a site, from the first target whose probe found any: the login page to which it redirects, and the links on its
 * first page.
 */
export function linksSeen({ probes }: Pick<WizardState, 'probes'>): readonly string[] {
  for (const probe of Object.values(probes)) {
    if (probe.status !== 'responded') continue;
    const links = [...findLoginPage(probe.result), ...probe.result.links];
    if (links.length > 0) return links;
  }
  return [];
}

/** Returns the path and query of the login page; empty if the page is on another server. */
function findLoginPage({ url, redirect }: Pick<Probe, 'url' | 'redirect'>): string[] {
  if (redirect?.looksLikeLogin !== true || !URL.canParse(redirect.location, url)) return [];
  const to = new URL(redirect.location, url);
  return to.origin === new URL(url).origin ? [`${to.pathname}${to.search}`] : [];
}

/**
 * Returns the choice of the HTTP version that browsers use with all targets, according to their probes. Returns no choice if that version
 * is the default for plans or is unknown.
 */
export function protocolSeen({ targets, probes }: Pick<WizardState, 'targets' | 'probes'>): Choices {
  const usesHttp2 = ({ id }: WizardState['targets'][number]): boolean => {
    const probe = probes[id];
    return probe?.status === 'responded' && probe.result.httpVersion === '2.0';
  };
  return targets.every(usesHttp2) ? { protocol: 'h2' } : {};
}

/** Permissions that the current plan needs. */
export interface Agreement {
  /** All permissions that the plan needs. */
  readonly asks: readonly Ask[];
  /** Permissions to ask for: those in `together` with one checkbox, and each public host in `hosts` with a separate one. */
  readonly together: readonly Ask[];
  readonly hosts: readonly Ask[];
  /** Permissions that have not been given yet. */
  readonly missing: readonly Ask[];
  /** Keys of the permissions that were given, for calls to the backend. */
  readonly keys: string[];
}

type AgreedState = Pick<WizardState, 'foreign' | 'agreed'>;

/**
 * Returns the permissions of a plan. A plan that was made here contains only what the user entered, so only public hosts need consent.
 * Contents of an opened or imported plan (`foreign`) need consent too. `open` has the permissions that the backend has not stored as given.
 */
export function getAgreement({ foreign, agreed }: AgreedState, asks: readonly Ask[], open: readonly Ask[]): Agreement {
  const asked = open.filter((ask) => isPublic(ask) || foreign.includes(askKey(ask)));
  const missing = asked.filter((ask) => !agreed.includes(askKey(ask)));
  return {
    asks,
    together: asked.filter((ask) => !isPublic(ask)),
    hosts: asked.filter(isPublic),
    missing,
    keys: asks
      .filter((ask) => needsAgreement(ask) && !missing.includes(ask) && !missing.some((one) => askKey(one) === askKey(ask)))
      .map(askKey),
  };
}

/** Returns the permissions that a request for a single probe implies: all except those from a foreign plan that were not given. */
export function agreedByProbe({ foreign, agreed }: AgreedState, asks: readonly Ask[]): string[] {
  return asks.map(askKey).filter((key) => !foreign.includes(key) || agreed.includes(key));
}
