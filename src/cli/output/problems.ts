import { z } from 'zod';
import type { Problem } from '#core/base/errors.ts';
import { type Issue, issueSchema } from '#core/plan/issues.ts';
import type { Output } from './stream.ts';

const dataWithIssues = z.object({ issues: z.array(issueSchema) });

/** The issues of a plan that a problem carries; none for any other problem. */
export function issuesOf(problem: Problem): Issue[] {
  const parsed = dataWithIssues.safeParse(problem.data);
  return parsed.success ? parsed.data.issues : [];
}

/** What happened, then the likely cause and what to do. */
export function problemText({ message, hint }: Pick<Problem, 'message' | 'hint'>): string {
  return `holdfast: ${message}\n${hint === '' ? '' : `${indent(hint)}\n`}`;
}

export async function printProblem(err: Output, problem: Problem): Promise<void> {
  await err.write(problemText(problem));
}

/** Every issue with its place, code and hint. */
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
