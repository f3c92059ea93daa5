import { getOwn } from '#core/base/ownMembers.ts';
import { askedQuestions } from './conditions.ts';
import type { Answers, Preset, Question } from './schema.ts';

/** Longer lists belong into several tests. */
export const MOST_PAGES = 100;

/** The paths of an answer to a question for pages: apart by blanks or line breaks. */
export function pagesIn(text: string): string[] {
  return [...new Set(text.split(/\s+/).filter((path) => path !== ''))];
}

/** Why a text is no list of pages; null when it is one. */
export function pagesProblem(text: string): { message: string; hint: string } | null {
  const pages = pagesIn(text);
  if (pages.length === 0) return { message: 'names no page', hint: 'Enter one path on each line, for example /grade-10/page.html.' };
  if (pages.length > MOST_PAGES) return { message: `names ${pages.length} pages`, hint: `The limit is ${MOST_PAGES}.` };
  const wrong = pages.find((page) => !/^\/(?!\/)/.test(page) || page.length > 2_000 || /[{}]/.test(page));
  if (wrong === undefined) return null;
  return {
    message: `contains “${wrong.slice(0, 60)}”, which is not a path`,
    hint: 'Enter the part of the address after the host, from the first slash. Write spaces as %20, braces as %7B and %7D.',
  };
}

const LONGEST_NAME = 48;

/** A short name for each page, from the end of its path; no two are the same, and none is one of those that are `taken`. */
export function pageNames(paths: readonly string[], taken: Iterable<string> = []): string[] {
  const seen = new Set(taken);
  return paths.map((path) => {
    const name = nameOf(path);
    let free = name;
    for (let number = 2; seen.has(free); number += 1) free = `${name} (${number})`;
    seen.add(free);
    return free;
  });
}

function nameOf(path: string): string {
  const [place = '', query = ''] = path.split('?', 2);
  const last = place.split('/').findLast((part) => part !== '') ?? 'start page';
  const short = last.replace(/\.[a-z]\w{0,15}$/i, '');
  const name = query === '' ? short : `${short}?${query}`;
  return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1)}…` : name;
}

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
