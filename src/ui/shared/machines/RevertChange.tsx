import { Undo2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { type HostChange, hostChangeSchema } from '#core/machines/checks/finding.ts';
import { Button } from '#ui/components/Button.tsx';
import { Confirm } from '#ui/components/Dialog.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { formatWhen, words } from '#ui/words/words.ts';
import type { RunEvent } from '#core/result/schema.ts';
import { useAction, useCall } from '../backend.ts';
import { notify } from '../notices.tsx';
import { HostProblem } from './HostProblem.tsx';
import styles from './Machines.module.css';

/** Offers to revert a changed setting. The user first sees and confirms the value that the setting will have. */
function RevertChange({ change }: { readonly change: HostChange }) {
  const [isAsking, setAsking] = useState(false);
  const revert = useAction('checks.revert', ['checks.changes', 'checks.machine']);
  const revertWords = words.machines.revert;
  const close = (): void => {
    setAsking(false);
    revert.reset();
  };
  const onSuccess = (): void => {
    close();
    notify(revertWords.done(change.setting, change.from));
  };
  const revertChange = (): void => revert.mutate({ changeId: change.id }, { onSuccess });
  return (
    <>
      <Button size="small" icon={<Undo2 />} aria-label={revertWords.openNamed(change.setting)} onPress={() => setAsking(true)}>
        {revertWords.open}
      </Button>
      <Confirm
        title={revertWords.title(change.host)}
        confirm={revertWords.go}
        isOpen={isAsking}
        isPending={revert.isPending}
        onClose={close}
        onConfirm={revertChange}
      >
        <Stack gap={12}>
          <p>{revertWords.story(change.setting, change.to, change.from)}</p>
          {revert.isPending ? <p aria-live="polite">{words.common.waitingFor(revertWords.waiting)}</p> : null}
          {revert.error ? <HostProblem problem={revert.error} onAgain={revertChange} /> : null}
        </Stack>
      </Confirm>
    </>
  );
}

/** Lists the settings that Holdfast changed on a machine and has not reverted. `host` is null for this computer. */
export function OpenChanges({ host }: { readonly host: string | null }) {
  const changes = useCall('checks.changes', {}).data ?? [];
  const changesWords = words.machines.changes;
  const ownChanges = changes.filter((change) => change.host?.toLowerCase() === host?.toLowerCase());
  if (ownChanges.length === 0) return null;
  return (
    <ul className="list" aria-label={changesWords.title}>
      {ownChanges.map((change) => (
        <li key={change.id} className={styles.change}>
          <p>
            {writeSentence(change)} <span className="muted">{formatWhen(change.appliedAt)}</span>
          </p>
          <RevertChange change={change} />
        </li>
      ))}
    </ul>
  );
}

function writeSentence({ setting, from, to }: HostChange): string {
  return words.machines.changes.changed(setting, from, to);
}

/** Returns the button that reverts a recorded change while it is still in effect; null for any other event. */
export function revertButtonFor(event: RunEvent): ReactNode {
  const parsed = event.kind === 'hostChanged' ? hostChangeSchema.safeParse(event.data) : null;
  return parsed?.success === true ? <Revert id={parsed.data.id} /> : null;
}

function Revert({ id }: { readonly id: number }) {
  const open = useCall('checks.changes', {}).data;
  const change = open?.find((one) => one.id === id);
  if (change !== undefined) return <RevertChange change={change} />;
  return open === undefined ? null : <span className="muted">{words.machines.changes.takenBack}</span>;
}
