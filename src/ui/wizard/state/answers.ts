import type { NumberEntry } from '#ui/components/numbers.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import type { Answers, Preset, Question } from '#core/presets/schema.ts';
import { askedQuestions } from '#core/presets/conditions.ts';
import { foundPages } from '#core/presets/pageList.ts';
import { formatCount } from '#core/base/units.ts';
import { words } from '#ui/words/words.ts';
import { type Ask, askKey, isPublic, needsAgreement } from '#core/review/asks/ask.ts';
import type { Probe } from '#contract/replies.ts';
import type { Protocol } from '#core/plan/schema/plan.ts';
import type { WizardState } from './types.ts';

/** What the page shows for a question: what was entered, else the first page that was found for it, else the preset's default. */
export function answerOf(question: Question, answers: Readonly<Record<string, NumberEntry>>, links: readonly string[] = []): NumberEntry {
  return getOwn(answers, question.id) ?? foundPages(question, links)[0] ?? question.default;
}

/** Why the answer cannot be used; null when it can. Only the form of numbers: the backend judges the rest. */
export function answerProblem(question: Question, answer: NumberEntry): string | null {
  if (question.kind !== 'number') return null;
  const say = words.wizard.load;
  if (typeof answer !== 'number') return say.numberMissing;
  if (question.whole && !Number.isInteger(answer)) return say.numberWhole;
  if (answer < question.min || answer > question.max) return say.numberRange(formatCount(question.min), formatCount(question.max));
  return null;
}

/** The questions that apply with what was entered so far. */
export function questionsToAsk(preset: Preset, answers: Readonly<Record<string, NumberEntry>>): Question[] {
  return askedQuestions(preset, answers);
}

/** Those answers of the questions that apply which can be used. */
export function usableAnswers(preset: Preset, answers: Readonly<Record<string, NumberEntry>>): Answers {
  const usable = questionsToAsk(preset, answers).filter((question) => answerProblem(question, answerOf(question, answers)) === null);
  return Object.fromEntries(usable.map((question) => [question.id, answerOf(question, answers)]));
}

/** Answers of all questions that apply, for `presets.build`; null while one of them cannot be used. `links`: of the first page of the target. */
export function answersFor(preset: Preset, answers: Readonly<Record<string, NumberEntry>>, links: readonly string[] = []): Answers | null {
  const given = questionsToAsk(preset, answers).map((question) => [question, answerOf(question, answers, links)] as const);
  if (given.some(([question, answer]) => answerProblem(question, answer) !== null)) return null;
  return Object.fromEntries(given.map(([question, answer]) => [question.id, answer]));
}

/** The login page to which a target redirects, and pages that its first page links to, as they were seen last. */
export function linksSeen({ probes }: Pick<WizardState, 'probes'>): readonly string[] {
  for (const probe of Object.values(probes)) {
    if (probe.status !== 'answered') continue;
    const links = [...loginPageOf(probe.result), ...probe.result.links];
    if (links.length > 0) return links;
  }
  return [];
}

/** Its path with the page to return to; none where it is on another server. */
function loginPageOf({ url, redirect }: Pick<Probe, 'url' | 'redirect'>): string[] {
  if (redirect?.looksLikeLogin !== true || !URL.canParse(redirect.location, url)) return [];
  const to = new URL(redirect.location, url);
  return to.origin === new URL(url).origin ? [`${to.pathname}${to.search}`] : [];
}

/** What browsers use with all of the targets, as the first request to each has shown; null where that is what plans use by themselves, or unknown. */
export function protocolSeen({ targets, probes }: Pick<WizardState, 'targets' | 'probes'>): Protocol | null {
  const usesHttp2 = ({ id }: WizardState['targets'][number]): boolean => {
    const probe = probes[id];
    return probe?.status === 'answered' && probe.result.httpVersion === '2.0';
  };
  return targets.every(usesHttp2) ? 'h2' : null;
}

/** What somebody has to agree to before the plan of the moment may do anything. */
export interface Agreement {
  /** Everything that the plan asks for. */
  readonly asks: readonly Ask[];
  /** What of it is open, as the wizard asks for it: by one word, and each public host by itself. */
  readonly together: readonly Ask[];
  readonly hosts: readonly Ask[];
  /** What is still missing. */
  readonly missing: readonly Ask[];
  /** What calls of the backend are told to be agreed to. */
  readonly keys: string[];
}

type Agreed = Pick<WizardState, 'foreign' | 'agreed'>;

/**
 * A plan that was made here asks for what the person has entered, so only public hosts are confirmed. What stood in a plan that was opened or imported
 * (`foreign`) is agreed to. `open`: what the backend knows of no agreement to.
 */
export function agreementOf({ foreign, agreed }: Agreed, asks: readonly Ask[], open: readonly Ask[]): Agreement {
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

/** What a single request that the person has just asked for is agreed to by that: all of it, but what stood in a plan of somebody else's. */
export function agreedByAsking({ foreign, agreed }: Agreed, asks: readonly Ask[]): string[] {
  return asks.map(askKey).filter((key) => !foreign.includes(key) || agreed.includes(key));
}
