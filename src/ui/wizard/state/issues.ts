import type { Issue } from '#core/plan/issues.ts';
import type { Preset } from '#core/presets/schema.ts';

/** The first error about a field or a part of it, by its path; null when there is none. */
export function messageAt(issues: readonly Issue[], path: string): string | null {
  const worst = issues.find((issue) => issue.level === 'error' && isWithin(issue, path));
  return worst ? messageOf(worst) : null;
}

/** As {@link messageAt}, of the errors that none of some fields within it shows. */
export function messageBeside(issues: readonly Issue[], path: string, fields: readonly string[]): string | null {
  return messageAt(
    issues.filter((issue) => !fields.some((field) => isWithin(issue, `${path}.${field}`))),
    path,
  );
}

/** What a schema says names the field by its path; beside the field only what to do is left to say. */
const SCHEMA_CODES = new Set(['TOO_SMALL', 'TOO_LARGE', 'WRONG_TYPE', 'MISSING', 'NOT_ONE_OF']);

function messageOf({ code, message, hint }: Issue): string {
  return (SCHEMA_CODES.has(code) && hint !== '' ? [hint] : [message, hint]).filter(Boolean).join(' ');
}

function isWithin(issue: Issue, path: string): boolean {
  return issue.path === path || issue.path.startsWith(`${path}.`) || issue.path.startsWith(`${path}[`);
}

export const answerPath = (question: string): string => `answers.${question}`;
export const LOAD_FIELDS = { thinkTime: 'load.thinkTime', maxInFlight: 'load.maxInFlight' } as const;
export const stagePath = (index: number): string => `load.stages[${index}]`;
export const objectivePath = (index: number): string => `objectives[${index}]`;

/** True when the issue is an error that a field of the page Load shows beside itself. */
export function belongsTo(issue: Issue, preset: Preset | null, stages: number, objectives: number): boolean {
  if (issue.level !== 'error') return false;
  const fields = [
    ...(preset?.questions.map(({ id }) => answerPath(id)) ?? []),
    ...Object.values(LOAD_FIELDS),
    ...Array.from({ length: stages }, (_, index) => stagePath(index)),
    ...Array.from({ length: objectives }, (_, index) => objectivePath(index)),
  ];
  return fields.some((path) => messageAt([issue], path) !== null);
}
