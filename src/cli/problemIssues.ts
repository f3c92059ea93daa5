import { z } from 'zod';
import type { Problem } from '#core/base/errors.ts';
import { issueSchema, type Issue } from '#core/plan/issues.ts';

const dataWithIssues = z.object({ issues: z.array(issueSchema) });

/** The issues of a plan that a problem carries; none for any other problem. */
export function issuesOf(problem: Problem): Issue[] {
  const parsed = dataWithIssues.safeParse(problem.data);
  return parsed.success ? parsed.data.issues : [];
}
