import { useState } from 'react';
import { useRename } from '#ui/shared/runActions.ts';
import { Button } from '../components/Button.tsx';
import { Dialog } from '../components/Dialog.tsx';
import { ProblemBanner } from '#ui/components/Banner.tsx';
import { TextField } from '../components/Field.tsx';
import { words } from '../words/words.ts';

interface RenameDialogProps {
  readonly runId: string;
  readonly name: string;
  readonly onClose: () => void;
}

const MAX_NAME_LENGTH = 120;
const texts = words.results;

export function RenameDialog({ runId, name, onClose }: RenameDialogProps) {
  const [draft, setDraft] = useState(name);
  const rename = useRename();
  const trimmed = draft.trim();
  const save = (): void => {
    if (trimmed !== '') rename.mutate({ runId, name: trimmed }, { onSuccess: onClose });
  };
  return (
    <Dialog
      title={texts.renameTitle}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onPress={onClose}>{words.common.cancel}</Button>
          <Button look="primary" isDisabled={trimmed === ''} isPending={rename.isPending} onPress={save}>
            {words.common.save}
          </Button>
        </>
      }
    >
      <TextField label={texts.nameLabel} value={draft} onChange={setDraft} onEnter={save} maxLength={MAX_NAME_LENGTH} />
      {rename.error ? <ProblemBanner problem={rename.error} /> : null}
    </Dialog>
  );
}
