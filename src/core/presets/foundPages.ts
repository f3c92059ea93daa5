import { getOwn } from '#core/base/ownMembers.ts';
import { askedQuestions } from './conditions.ts';
import type { Answers, Preset, Question } from './schema.ts';

/** Those of the links of a page that can answer a question, in their order; none for a question whose answer is not found on a page. */
export function foundPages(question: Question, links: readonly string[]): string[] {
  if (question.kind !== 'text' || question.find === undefined) return [];
  const pattern = new RegExp(question.find);
  return links.filter((link) => pattern.test(link));
}

/** The questions that have no answer yet and are answered by a page that is found after the login. */
export function questionsToFind(preset: Preset, answers: Answers): Question[] {
  return askedQuestions(preset, answers).filter(
    (question) => question.kind === 'text' && question.find !== undefined && (getOwn(answers, question.id) ?? question.default) === '',
  );
}

/** Stands for what is found only after the login, so that everything else of the plan can be checked before. */
export function standIns(preset: Preset, answers: Answers): Answers {
  return Object.fromEntries(questionsToFind(preset, answers).map(({ id }) => [id, '/']));
}

/** Settings whose answers are complete, with {@link standIns} where somebody has to log in first. */
export function withStandIns<Settings extends { readonly answers: Answers }>(preset: Preset, settings: Settings): Settings {
  return { ...settings, answers: { ...settings.answers, ...standIns(preset, settings.answers) } };
}
