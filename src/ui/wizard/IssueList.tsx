import type { Issue } from '#core/plan/issues.ts';
import { LevelMark } from '#ui/components/LevelMark.tsx';
import styles from './IssueList.module.css';

/** Problems of a plan that have no field of their own, each with what to do. */
export function IssueList({ issues }: { readonly issues: readonly Issue[] }) {
  if (issues.length === 0) return null;
  return (
    <ul className={styles.list}>
      {issues.map((issue) => (
        <li key={`${issue.code} ${issue.path} ${issue.message}`} className={styles.issue}>
          <LevelMark level={issue.level === 'error' ? 'problem' : 'warning'} />
          <div>
            <p className={styles.message}>{issue.message}</p>
            {issue.hint ? <p className={styles.hint}>{issue.hint}</p> : null}
          </div>
        </li>
      ))}
    </ul>
  );
}
