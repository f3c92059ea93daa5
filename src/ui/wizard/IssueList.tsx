import { formatCount } from '#core/base/units.ts';
import type { Issue } from '#core/plan/issues.ts';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { LevelLine, LevelList } from '#ui/components/Marks.tsx';
import { words } from '#ui/words/words.ts';
import styles from './IssueList.module.css';

/** Maximum number of warnings of one kind that are shown separately. */
const MAX_UNGROUPED = 2;

interface IssueGroup {
  readonly first: Issue;
  /** Further issues of the same kind. */
  readonly others: readonly Issue[];
}

/**
 * Groups warnings with the same code at the position of the first one if there are more than two. Errors are never grouped, because each
 * must be corrected.
 */
export function groupIssues(issues: readonly Issue[]): IssueGroup[] {
  const byCode = Map.groupBy(issues, ({ code }) => code);
  return issues.flatMap((issue): IssueGroup[] => {
    const same = byCode.get(issue.code) ?? [];
    if (same.length <= MAX_UNGROUPED || same.some(({ level }) => level === 'error')) return [{ first: issue, others: [] }];
    return same[0] === issue ? [{ first: issue, others: same.slice(1) }] : [];
  });
}

/** Issues of a plan that belong to no field, each with what to do. Similar warnings are grouped. */
export function IssueList({ issues }: { readonly issues: readonly Issue[] }) {
  if (issues.length === 0) return null;
  return (
    <ul className="list">
      {groupIssues(issues).map(({ first, others }) => (
        <li key={formatLine(first).key}>
          <LevelLine {...formatLine(first)} />
          {others.length > 0 ? (
            <div className={styles.others}>
              <Disclosure title={words.wizard.issues.more(formatCount(others.length))}>
                <LevelList lines={others.map(formatLine)} />
              </Disclosure>
            </div>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

function formatLine({ code, path, level, message, hint }: Issue) {
  return { key: `${code} ${path} ${message}`, level: level === 'error' ? 'problem' : 'warning', text: message, hint } as const;
}
