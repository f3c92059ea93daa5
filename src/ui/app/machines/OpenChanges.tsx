import type { HostChange } from '#core/machines/checks/finding.ts';
import { words } from '#ui/words/words.ts';
import { formatWhen } from '#ui/words/when.ts';
import { useCall } from '../backend.ts';
import { RevertChange } from './RevertChange.tsx';
import styles from './Machines.module.css';

/** What Holdfast has changed on a machine (null: this computer) and not taken back; nothing where there is none. */
export function OpenChanges({ host }: { readonly host: string | null }) {
  const changes = useCall('checks.changes', {}).data ?? [];
  const say = words.machines.changes;
  const own = changes.filter((change) => change.host?.toLowerCase() === host?.toLowerCase());
  if (own.length === 0) return null;
  return (
    <ul className={styles.changes} aria-label={say.title}>
      {own.map((change) => (
        <li key={change.id} className={styles.change}>
          <p>
            {sentenceOf(change)} <span className={styles.muted}>{formatWhen(change.appliedAt)}</span>
          </p>
          <RevertChange change={change} />
        </li>
      ))}
    </ul>
  );
}

function sentenceOf({ setting, from, to }: HostChange): string {
  return words.machines.changes.changed(setting, from, to);
}
