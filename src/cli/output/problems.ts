import { z } from 'zod';
import { HoldfastError, type Problem } from '#core/base/errors.ts';
import { type Issue, issueSchema } from '#core/plan/issues.ts';
import type { Note } from '#core/import/imported.ts';
import type { Output } from './stream.ts';

const dataWithIssues = z.object({ issues: z.array(issueSchema) });

/** Returns the issues of a plan in the data of a problem; empty for any other problem. */
export function listIssues(problem: Problem): Issue[] {
  const parsed = dataWithIssues.safeParse(problem.data);
  return parsed.success ? parsed.data.issues : [];
}

/** Formats a problem: the message, then the hint. */
export function problemText({ message, hint }: Pick<Problem, 'message' | 'hint'>): string {
  return `holdfast: ${message}\n${hint === '' ? '' : `${indent(hint)}\n`}`;
}

export async function printProblem(err: Output, problem: Problem): Promise<void> {
  await err.write(problemText(problem));
}

/** Prints every issue with its path, code and hint. */
export async function printIssues(err: Output, issues: readonly Issue[]): Promise<void> {
  for (const { level, code, path, message, hint } of issues)
    await err.write(`${level}: ${path === '' ? '' : `${path}: `}${message} [${code}]\n${hint === '' ? '' : `${indent(hint)}\n`}`);
}

function indent(text: string): string {
  return text
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}

const WORDS = { leftOut: 'left out', changed: 'changed', assumed: 'assumed', secret: 'secret' } as const;

/** Formats differences of the plan from the original, one per line. */
export function notesText(notes: readonly Note[]): string {
  return notes.map(({ kind, place, what, instead }) => `${WORDS[kind]}: ${place === '' ? '' : `${place}: `}${what} ${instead}\n`).join('');
}

/** Returns the error of an option that is invalid or conflicts with others. */
export function optionError(message: string, hint: string): HoldfastError {
  return new HoldfastError({ code: 'BAD_OPTION', message, hint });
}
