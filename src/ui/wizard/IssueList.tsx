import type { Issue } from '#core/plan/issues.ts';
import { formatCount } from '#core/base/units.ts';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { LevelMark } from '#ui/components/Marks.tsx';
import { words } from '#ui/words/words.ts';
import styles from './IssueList.module.css';

/** Up to this number, warnings of one kind are shown separately. */
const MAX_UNGROUPED = 2;

interface IssueGroup {
  readonly first: Issue;
  /** Further issues of the same kind. */
  readonly others: readonly Issue[];
}

/** Groups more than two warnings of one code at the position of the first. Errors are never grouped, because each must be corrected. */
export function groupIssues(issues: readonly Issue[]): IssueGroup[] {
  const byCode = Map.groupBy(issues, ({ code }) => code);
  return issues.flatMap((issue): IssueGroup[] => {
    const same = byCode.get(issue.code) ?? [];
    if (same.length <= MAX_UNGROUPED || same.some(({ level }) => level === 'error')) return [{ first: issue, others: [] }];
    return same[0] === issue ? [{ first: issue, others: same.slice(1) }] : [];
  });
}

/** Issues of a plan that belong to no field, each with its remedy. Similar warnings are grouped. */
export function IssueList({ issues }: { readonly issues: readonly Issue[] }) {
  if (issues.length === 0) return null;
  return (
    <ul className={styles.list}>
      {groupIssues(issues).map(({ first, others }) => (
        <li key={keyOf(first)}>
          <Line issue={first} />
          {others.length > 0 ? (
            <div className={styles.others}>
              <Disclosure title={words.wizard.issues.more(formatCount(others.length))}>
                <ul className={styles.list}>
                  {others.map((issue) => (
                    <li key={keyOf(issue)}>
                      <Line issue={issue} />
                    </li>
                  ))}
                </ul>
              </Disclosure>
            </div>
          ) : null}
        </li>
      ))}
    </ul>
  );
}

const keyOf = ({ code, path, message }: Issue): string => `${code} ${path} ${message}`;

function Line({ issue: { level, message, hint } }: { readonly issue: Issue }) {
  return (
    <div className={styles.issue}>
      <LevelMark level={level === 'error' ? 'problem' : 'warning'} />
      <div>
        <p className={styles.message}>{message}</p>
        {hint ? <p className={styles.hint}>{hint}</p> : null}
      </div>
    </div>
  );
}
