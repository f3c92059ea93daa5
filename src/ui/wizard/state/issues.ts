import type { Issue } from '#core/plan/issues.ts';
import type { Preset } from '#core/presets/schema.ts';

/** The first thing said about a field, by its path; errors before warnings. null when nothing is. */
export function messageAt(issues: readonly Issue[], path: string): string | null {
  const here = issues.filter((issue) => issue.path === path || issue.path.startsWith(`${path}.`) || issue.path.startsWith(`${path}[`));
  const worst = here.find(({ level }) => level === 'error') ?? null;
  return worst && [worst.message, worst.hint].filter(Boolean).join(' ');
}

export const answerPath = (question: string): string => `answers.${question}`;
export const stagePath = (index: number): string => `load.stages[${index}]`;
export const objectivePath = (index: number): string => `objectives[${index}]`;

/** True when the issue is an error that a field of the page Load shows beside itself. */
export function belongsTo(issue: Issue, preset: Preset | null, stages: number, objectives: number): boolean {
  if (issue.level !== 'error') return false;
  const fields = [
    ...(preset?.questions.map(({ id }) => answerPath(id)) ?? []),
    ...Array.from({ length: stages }, (_, index) => stagePath(index)),
    ...Array.from({ length: objectives }, (_, index) => objectivePath(index)),
  ];
  return fields.some((path) => messageAt([issue], path) !== null);
}
