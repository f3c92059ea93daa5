import { freeName } from '#core/base/text.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { listAskedQuestions } from './conditions.ts';
import type { Answers, Preset, Question } from './schema.ts';

/** Maximum number of pages. A longer list needs several tests. */
export const MAX_PAGES = 100;

/** Returns the paths in a page list, which are separated by spaces or line breaks, each once. */
export function parsePages(text: string): string[] {
  return [...new Set(text.split(/\s+/).filter((path) => path !== ''))];
}

/** Returns the reason why a text is not a page list; null if it is one. */
export function pagesProblem(text: string): { message: string; hint: string } | null {
  const pages = parsePages(text);
  if (pages.length === 0) return { message: 'names no page', hint: 'Enter one path on each line, for example /grade-10/page.html.' };
  if (pages.length > MAX_PAGES) return { message: `names ${pages.length} pages`, hint: `The limit is ${MAX_PAGES}.` };
  const wrong = pages.find((page) => !/^\/(?!\/)/.test(page) || page.length > 2_000 || /[{}]/.test(page));
  if (wrong === undefined) return null;
  return {
    message: `contains “${wrong.slice(0, 60)}”, which is not a path`,
    hint: 'Enter the part of the address after the host, from the first slash. Write spaces as %20, braces as %7B and %7D.',
  };
}

const MAX_NAME_LENGTH = 48;

/** Returns a unique short name for each page, made from the end of its path and different from those in `taken`. */
export function pageNames(paths: readonly string[], taken: Iterable<string> = []): string[] {
  const seen = new Set(taken);
  return paths.map((path) => {
    const name = nameOf(path);
    const free = freeName(
      name,
      (one) => seen.has(one),
      (number) => `${name} (${number})`,
    );
    seen.add(free);
    return free;
  });
}

function nameOf(path: string): string {
  const [place = '', query = ''] = path.split('?', 2);
  const last = place.split('/').findLast((part) => part !== '') ?? 'start page';
  const short = last.replace(/\.[a-z]\w{0,15}$/i, '');
  const name = query === '' ? short : `${short}?${query}`;
  return name.length > MAX_NAME_LENGTH ? `${name.slice(0, MAX_NAME_LENGTH - 1)}…` : name;
}

/** Number of characters at the beginning of a link in which a question searches. */
const MAX_MATCHED_CHARACTERS = 200;

/** Returns the links that can answer a question, in order; empty if no page answers the question. */
export function chooseFoundPages(question: Question, links: readonly string[]): string[] {
  if (question.kind !== 'text' || question.find === undefined) return [];
  const pattern = new RegExp(question.find);
  return links.filter((link) => pattern.test(link.slice(0, MAX_MATCHED_CHARACTERS)));
}

/** Returns the unanswered questions that will be answered by a page after the login. */
export function questionsToFind(preset: Preset, answers: Answers): Question[] {
  return listAskedQuestions(preset, answers).filter(
    (question) => question.kind === 'text' && question.find !== undefined && (getOwn(answers, question.id) ?? question.default) === '',
  );
}

/**
 * Returns placeholders for questions about pages that are found after the login. With them, the rest of the plan can be checked before the
 * login.
 */
export function standIns(preset: Preset, answers: Answers): Answers {
  return Object.fromEntries(questionsToFind(preset, answers).map(({ id }) => [id, '/']));
}

/** Returns settings with {@link standIns} added. */
export function fillStandIns<Settings extends { readonly answers: Answers }>(preset: Preset, settings: Settings): Settings {
  return { ...settings, answers: { ...settings.answers, ...standIns(preset, settings.answers) } };
}
