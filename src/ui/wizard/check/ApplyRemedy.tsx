import { useState } from 'react';
import type { Remedy, Role } from '#core/machines/checks/finding.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { useAction } from '#ui/shared/backend.ts';
import { HostProblem } from '#ui/shared/machines/HostProblem.tsx';
import { Button } from '#ui/components/Button.tsx';
import { Confirm } from '#ui/components/Dialog.tsx';
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
  const close = (): void => {
    setAsking(false);
    apply.reset();
  };
  const onSuccess = (): void => {
    close();
    onChanged();
  };
  const go = (): void => apply.mutate({ ...checked, id, change }, { onSuccess });
  return (
    <div>
      <Button size="small" onPress={() => setAsking(true)}>
        {say.open}
      </Button>
      <Confirm
        title={say.title(checked.host)}
        confirm={say.go}
        isOpen={isAsking}
        isPending={apply.isPending}
        onClose={close}
        onConfirm={go}
      >
        <Stack gap={12}>
          <p>{say.story}</p>
          <code className={styles.host}>{command}</code>
          <p className="muted">{risk}</p>
          <p className="muted">
            {words.wizard.check.undo}: <code>{undo}</code>
          </p>
          {apply.isPending ? <p aria-live="polite">{words.common.waitingFor(say.waiting)}</p> : null}
          {apply.error ? <HostProblem problem={apply.error} onAgain={go} /> : null}
        </Stack>
      </Confirm>
    </div>
  );
}
