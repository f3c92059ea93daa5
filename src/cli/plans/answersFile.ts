import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { HoldfastError } from '#core/base/errors.ts';
import { readYaml } from '#core/plan/readYaml.ts';
import { foundPages, pagesIn } from '#core/presets/pageList.ts';
import type { Question } from '#core/presets/schema.ts';
import { isRecord } from './fields.ts';

/** The answers in a file, written as `--set` takes them; none without a file. Throws `BAD_ANSWERS`. */
export async function answersFrom(file: string | undefined, currentDirectory: string, questions: readonly Question[]): Promise<string[]> {
  if (file === undefined) return [];
  const path = resolve(currentDirectory, file);
  const answers = await read(path);
  if (!isRecord(answers)) throw badAnswers(path, 'it holds no answers by the ids of their questions');
  return Object.entries(withPagesFound(answers, questions)).map(([id, value]) => {
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean')
      throw badAnswers(path, `the answer to “${id}” is neither a text nor a number`);
    return `${id}=${value}`;
  });
}

/** The pages that a walk over a site has saved answer a question for one page as well: the first of them that it can be. */
function withPagesFound(answers: Record<string, unknown>, questions: readonly Question[]): Record<string, unknown> {
  const { pages, ...others } = answers;
  if (typeof pages !== 'string' || questions.some(({ id }) => id === 'pages')) return answers;
  const found = questions.flatMap((question) =>
    foundPages(question, pagesIn(pages))
      .slice(0, 1)
      .map((page) => [question.id, page] as const),
  );
  return found.length === 0 ? answers : { ...Object.fromEntries(found), ...others };
}

async function read(path: string): Promise<unknown> {
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw badAnswers(path, cause instanceof Error ? cause.message : String(cause));
  });
  const { value, issues } = readYaml(text);
  const [first] = issues;
  if (first !== undefined) throw badAnswers(path, [first.path, first.message.replace(/\.$/, '')].filter((part) => part !== '').join(': '));
  return value;
}

function badAnswers(path: string, why: string): HoldfastError {
  return new HoldfastError({
    code: 'BAD_ANSWERS',
    message: `The answers in ${path} cannot be used: ${why}.`,
    hint: 'Write one line for each answer, for example “users: 100”; holdfast crawl --save writes such a file.',
  });
}
