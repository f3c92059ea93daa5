import { useState } from 'react';
import type { Problem } from '#core/errors.ts';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { ProblemBanner } from './ProblemBanner.tsx';

interface AskToDeleteProps {
  readonly texts: Readonly<Record<'button' | 'title' | 'story' | 'cancel' | 'confirm', string>>;
  readonly removal: { readonly isPending: boolean; readonly error: Problem | null };
  readonly onConfirm: () => void;
}

/** A button that deletes something for good, after a question. */
export function AskToDelete({ texts, removal, onConfirm }: AskToDeleteProps) {
  const [isAsking, setAsking] = useState(false);
  const close = (): void => setAsking(false);
  const actions = (
    <>
      <Button onPress={close}>{texts.cancel}</Button>
      <Button look="danger" isPending={removal.isPending} onPress={onConfirm}>
        {texts.confirm}
      </Button>
    </>
  );
  return (
    <>
      <Button onPress={() => setAsking(true)}>{texts.button}</Button>
      <Dialog title={texts.title} role="alertdialog" isOpen={isAsking} onClose={close} actions={actions}>
        <p>{texts.story}</p>
        {removal.error ? <ProblemBanner problem={removal.error} /> : null}
      </Dialog>
    </>
  );
}
