import { z } from 'zod';
import { HoldfastError, type Problem } from '#core/base/errors.ts';
import { type Issue, issueSchema } from '#core/plan/issues.ts';
import type { Note } from '#core/import/imported.ts';
import { differenceTable, dissimilarityTable } from '#core/presentation/document/seriesTables.ts';
import { passageLines, WIDE_COLUMNS } from '#core/presentation/text/textTable.ts';
import { comparisonTitle } from '#core/comparison/figureTexts.ts';
import type { Comparison } from '#core/comparison/schema.ts';
import type { Output } from './stream.ts';

const dataWithIssues = z.object({ issues: z.array(issueSchema) });

/** Returns the plan issues in a problem's data; empty if the problem has none. */
export function listIssues(problem: Problem): Issue[] {
  const parsed = dataWithIssues.safeParse(problem.data);
  return parsed.success ? parsed.data.issues : [];
}

/** Formats a problem: the message, then the hint. */
export function problemText({ message, hint }: Pick<Problem, 'message' | 'hint'>): string {
  return `holdfast: ${message}\n${hint === '' ? '' : `${indent(hint)}\n`}`;
}

/** Returns the error of an invalid plan. The command prints every issue and ends with the exit code of an invalid plan. */
export function invalidPlan(issues: readonly Issue[]): HoldfastError {
  return new HoldfastError({ code: 'INVALID_PLAN', message: 'The plan is invalid.', hint: '', data: { issues: [...issues] } });
}

export async function printProblem(err: Output, problem: Problem): Promise<void> {
  await err.write(problemText(problem));
}

/** Prints every issue with its path, code, message and hint. */
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

const NOTE_LABELS = { leftOut: 'left out', changed: 'changed', assumed: 'assumed', secret: 'secret' } as const;

/** Formats notes on how the plan differs from the original, one per line. */
export function notesText(notes: readonly Note[]): string {
  return notes
    .map(({ kind, location, what, instead }) => `${NOTE_LABELS[kind]}: ${location === '' ? '' : `${location}: `}${what} ${instead}\n`)
    .join('');
}

/** Returns the error of an option that is invalid or conflicts with others. */
export function optionError(message: string, hint: string): HoldfastError {
  return new HoldfastError({ code: 'BAD_OPTION', message, hint });
}

/** Aligns columns to their widest cells. The last column is not padded. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const widths: number[] = [];
  for (const row of rows) for (const [index, cell] of row.entries()) widths[index] = Math.max(widths[index] ?? 0, cell.length);
  return rows
    .map((row) => `${row.map((cell, index) => (index === row.length - 1 ? cell : cell.padEnd(widths[index] ?? 0))).join('  ')}\n`)
    .join('');
}

/** Formats a comparison for a terminal: conclusions with their evidence, then figures, then other differences. */
export function comparisonText(comparison: Comparison): string {
  const { sides, pairs, dissimilar } = comparison;
  const names = sides.map(({ name }) => name);
  const sections = [
    [comparisonTitle(comparison)],
    ...pairs.flatMap((pair) => [
      [pair.sentence, ...pair.reasons.map((reason) => `  - ${reason}`)],
      passageLines(differenceTable('All figures', pair, names[pair.reference] ?? '', names[pair.side] ?? ''), WIDE_COLUMNS),
    ]),
    dissimilar.length === 0 ? [] : passageLines(dissimilarityTable(comparison, names), WIDE_COLUMNS),
  ];
  return sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.map((line) => `${line}\n`).join(''))
    .join('\n');
}
