import { useState } from 'react';
import type { Remedy, Role } from '#core/machines/checks/finding.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { useAction } from '#ui/shared/backend.ts';
import { HostProblem } from '#ui/shared/machines/HostProblem.tsx';
import { Button } from '#ui/components/Button.tsx';
import { Dialog } from '#ui/components/Dialog.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { words } from '#ui/words/words.ts';
import styles from './CheckPage.module.css';

export interface Checked {
  /** null: this computer. */
  readonly host: string | null;
  readonly role: Role;
  readonly plan: Plan | null;
  readonly agreed: string[];
}

interface ApplyRemedyProps {
  readonly id: string;
  readonly remedy: Remedy;
  readonly checked: Checked;
  readonly onChanged: () => void;
}

/** Offers to change a setting. The user sees the command and confirms it first. */
export function ApplyRemedy({ id, remedy, checked, onChanged }: ApplyRemedyProps) {
  const [isAsking, setAsking] = useState(false);
  const apply = useAction('checks.apply', ['checks.changes']);
  const say = words.wizard.check.apply;
  const { change, command, undo, risk } = remedy;
  if (change === undefined) return null;
  const go = (): void => {
    apply.mutate(
      { ...checked, id, change },
      {
        onSuccess: () => {
          setAsking(false);
          onChanged();
        },
      },
    );
  };
  const close = (): void => {
    setAsking(false);
    apply.reset();
  };
  return (
    <div>
      <Button size="small" onPress={() => setAsking(true)}>
        {say.open}
      </Button>
      <Dialog
        title={say.title(checked.host)}
        isOpen={isAsking}
        onClose={close}
        role="alertdialog"
        actions={
          <>
            <Button onPress={close}>{words.common.cancel}</Button>
            <Button look="primary" isPending={apply.isPending} onPress={go}>
              {say.go}
            </Button>
          </>
        }
      >
        <Stack gap={12}>
          <p>{say.story}</p>
          <code className={styles.host}>{command}</code>
          <p className={styles.muted}>{risk}</p>
          <p className={styles.muted}>
            {words.wizard.check.undo}: <code>{undo}</code>
          </p>
          {apply.isPending ? <p aria-live="polite">{words.common.waitingFor(say.waiting)}</p> : null}
          {apply.error ? <HostProblem problem={apply.error} onAgain={go} /> : null}
        </Stack>
      </Dialog>
    </div>
  );
}
