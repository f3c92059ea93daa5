import type { ReactNode } from 'react';
import { hostChangeSchema } from '#core/machines/checks/finding.ts';
import type { RunEvent } from '#core/result/schema.ts';
import { words } from '#ui/words/words.ts';
import { useCall } from '../backend.ts';
import { RevertChange } from './RevertChange.tsx';
import styles from './Machines.module.css';

/** Beside the record of a change in a run: the way back as long as it still is so; nothing beside any other event. */
export function besideEvent(event: RunEvent): ReactNode {
  const parsed = event.kind === 'hostChanged' ? hostChangeSchema.safeParse(event.data) : null;
  return parsed?.success === true ? <Revert id={parsed.data.id} /> : null;
}

function Revert({ id }: { readonly id: number }) {
  const open = useCall('checks.changes', {}).data;
  const change = open?.find((one) => one.id === id);
  if (change !== undefined) return <RevertChange change={change} />;
  return open === undefined ? null : <span className={styles.muted}>{words.machines.changes.takenBack}</span>;
}
