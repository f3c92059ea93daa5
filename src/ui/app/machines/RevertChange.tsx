import { Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { HostChange } from '#core/machines/checks/finding.ts';
import { Button } from '#ui/components/Button.tsx';
import { Dialog } from '#ui/components/Dialog.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { words } from '#ui/words/words.ts';
import { useAction } from '../backend.ts';
import { notify } from '../notices.ts';
import { HostProblem } from './HostProblem.tsx';

/** Offers to take back a change of a setting. Nothing is done before the person has seen what it becomes, and confirmed it. */
export function RevertChange({ change }: { readonly change: HostChange }) {
  const [isAsking, setAsking] = useState(false);
  const revert = useAction('checks.revert', ['checks.changes', 'checks.machine']);
  const say = words.machines.revert;
  const close = (): void => {
    setAsking(false);
    revert.reset();
  };
  const go = (): void =>
    revert.mutate(
      { changeId: change.id },
      {
        onSuccess: () => {
          close();
          notify(say.done(change.setting, change.from));
        },
      },
    );
  return (
    <>
      <Button size="small" icon={<Undo2 />} aria-label={say.openNamed(change.setting)} onPress={() => setAsking(true)}>
        {say.open}
      </Button>
      <Dialog
        title={say.title(change.host)}
        isOpen={isAsking}
        onClose={close}
        role="alertdialog"
        actions={
          <>
            <Button onPress={close}>{words.common.cancel}</Button>
            <Button look="primary" isPending={revert.isPending} onPress={go}>
              {say.go}
            </Button>
          </>
        }
      >
        <Stack gap={12}>
          <p>{say.story(change.setting, change.to, change.from)}</p>
          {revert.isPending ? <p aria-live="polite">{words.common.waitingFor(say.waiting)}</p> : null}
          {revert.error ? <HostProblem problem={revert.error} onAgain={go} /> : null}
        </Stack>
      </Dialog>
    </>
  );
}
