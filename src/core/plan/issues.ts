import { z } from 'zod';

/** One problem of a plan. `path` is written as a person would find it: `targets[0].url`. */
export const issueSchema = z.strictObject({
  level: z.enum(['error', 'warning']),
  /** Stable name of the kind of problem, e.g. `STAGE_NEEDS_ONE_END`. */
  code: z.string(),
  path: z.string(),
  message: z.string(),
  hint: z.string(),
});
export type Issue = z.infer<typeof issueSchema>;

/** More problems than this at once help nobody, and a damaged file of a megabyte has a hundred thousand. */
export const MOST_ISSUES = 50;

/** The first {@link MOST_ISSUES} problems, and how many more there are: of `all`, when `issues` holds only the first of them. */
export function boundedIssues(issues: readonly Issue[], all = issues.length): Issue[] {
  if (all <= MOST_ISSUES) return [...issues];
  const rest = issues.slice(MOST_ISSUES);
  const more: Issue = {
    level: rest.length > 0 && rest.every(({ level }) => level === 'warning') ? 'warning' : 'error',
    code: 'MORE_ISSUES',
    path: '',
    message: `There are ${all - MOST_ISSUES} more problems.`,
    hint: 'Mend those that are told, and read it again.',
  };
  return [...issues.slice(0, MOST_ISSUES), more];
}
