import type { Issue } from '#core/plan/issues.ts';

/** So many of one kind are still told one by one. */
const MOST_APART = 2;

export interface IssueGroup {
  readonly first: Issue;
  /** Of the same kind. */
  readonly others: readonly Issue[];
}

/** Issues in their order; more than two warnings of one code become one group at the place of the first. Errors stay apart: each must be mended. */
export function groupIssues(issues: readonly Issue[]): IssueGroup[] {
  const byCode = Map.groupBy(issues, ({ code }) => code);
  return issues.flatMap((issue): IssueGroup[] => {
    const same = byCode.get(issue.code) ?? [];
    if (same.length <= MOST_APART || same.some(({ level }) => level === 'error')) return [{ first: issue, others: [] }];
    return same[0] === issue ? [{ first: issue, others: same.slice(1) }] : [];
  });
}
