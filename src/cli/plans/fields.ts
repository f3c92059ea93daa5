import { isBlock } from '#core/base/json.ts';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { getOwn, setOwn } from '#core/base/ownMembers.ts';
import type { Issue } from '#core/plan/issues.ts';
import { readYaml } from '#core/plan/readYaml.ts';
import { HoldfastError } from '#core/base/errors.ts';
import { quote } from '#core/base/text.ts';
import { chooseFoundPages, parsePages } from '#core/presets/pageList.ts';
import type { Question } from '#core/presets/schema.ts';

/** Parses `load.stages[0].seconds` to ['load', 'stages', 0, 'seconds']; null for invalid syntax. */
export function parsePath(text: string): (string | number)[] | null {
  if (!/^[A-Za-z]\w*(\.[A-Za-z][\w-]*|\[\d+\])*$/.test(text)) return null;
  return [...text.matchAll(/([A-Za-z][\w-]*)|\[(\d+)\]/g)].map(([, name, index]) => name ?? Number(index));
}

/**
 * Sets fields of a parsed plan document. Values are parsed as YAML, so that `12` is a number and `[200, 404]` is a list. Changes `plan`.
 * Returns an issue for each setting that failed.
 */
export function setFields(plan: Record<string, unknown>, fields: ReadonlyMap<string, string>): Issue[] {
  const issues: Issue[] = [];
  for (const [path, text] of fields) {
    const keys = parsePath(path);
    const { value, issues: faults } = readYaml(text);
    if (!keys || faults.length > 0 || !setAt(plan, keys, value))
      issues.push({
        level: 'error',
        code: 'BAD_SETTING',
        path,
        message: faults.length === 0 ? 'The plan has no such field.' : `${quote(text)} is not a value that YAML understands.`,
        hint: 'Use the plan’s form, for example load.stages[0].seconds=10. In a list, only existing entries can be changed.',
      });
  }
  return issues;
}

function setAt(root: Record<string, unknown>, keys: readonly (string | number)[], value: unknown): boolean {
  let location: unknown = root;
  for (const [depth, key] of keys.entries()) {
    const isLast = depth === keys.length - 1;
    if (Array.isArray(location) && typeof key === 'number' && key < location.length) {
      if (isLast) location[key] = value;
      location = location[key];
    } else if (isBlock(location) && typeof key === 'string') {
      if (isLast) setOwn(location, key, value);
      else if (!Object.hasOwn(location, key)) setOwn(location, key, {});
      location = getOwn(location, key);
    } else return false;
  }
  return true;
}

/** Reads answers to questions from a file, in the syntax of `--set`; empty without a file. Throws `BAD_ANSWERS`. */
export async function answersFrom(file: string | undefined, currentDirectory: string, questions: readonly Question[]): Promise<string[]> {
  if (file === undefined) return [];
  const path = resolve(currentDirectory, file);
  const answers = await readFields(path);
  if (!isBlock(answers)) throw badAnswersError(path, 'it has no answers by the ids of their questions');
  return Object.entries(withPagesFound(answers, questions)).flatMap(([id, value]) =>
    // A list of headers is equivalent to several `--set header=` options.
    (id === 'header' && Array.isArray(value) ? value : [value]).map((one: unknown) => {
      if (typeof one !== 'string' && typeof one !== 'number' && typeof one !== 'boolean')
        throw badAnswersError(path, `the answer to the question “${id}” is neither a text nor a number`);
      return `${id}=${one}`;
    }),
  );
}

/** Answers a question for one page with the first suitable page that a crawl found. */
function withPagesFound(answers: Record<string, unknown>, questions: readonly Question[]): Record<string, unknown> {
  const { pages, ...others } = answers;
  if (typeof pages !== 'string' || questions.some(({ id }) => id === 'pages')) return answers;
  const found = questions.flatMap((question) =>
    chooseFoundPages(question, parsePages(pages))
      .slice(0, 1)
      .map((page) => [question.id, page] as const),
  );
  return found.length === 0 ? answers : { ...Object.fromEntries(found), ...others };
}

async function readFields(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw badAnswersError(path, cause instanceof Error ? cause.message : String(cause));
  });
  const { value, issues } = readYaml(text);
  const [first] = issues;
  if (first !== undefined)
    throw badAnswersError(path, [first.path, first.message.replace(/\.$/, '')].filter((part) => part !== '').join(': '));
  return value;
}

function badAnswersError(path: string, reason: string): HoldfastError {
  return new HoldfastError({
    code: 'BAD_ANSWERS',
    message: `The answers to questions in ${path} cannot be used: ${reason}.`,
    hint: 'Write one line for each question, for example “users: 100”. holdfast crawl --save writes such a file.',
  });
}
