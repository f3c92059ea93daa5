import type { Problem } from '#core/base/errors.ts';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';
import { ProblemBanner } from './ProblemBanner.tsx';

interface AskToDeleteProps {
  readonly texts: Readonly<Record<'title' | 'story' | 'cancel' | 'confirm', string>>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly removal: { readonly isPending: boolean; readonly error: Problem | null };
  readonly onConfirm: () => void;
}

/** The question before something is deleted for good. */
export function AskToDelete({ texts, isOpen, onClose, removal, onConfirm }: AskToDeleteProps) {
  const actions = (
    <>
      <Button onPress={onClose}>{texts.cancel}</Button>
      <Button look="danger" isPending={removal.isPending} onPress={onConfirm}>
        {texts.confirm}
      </Button>
    </>
  );
  return (
    <Dialog title={texts.title} role="alertdialog" isOpen={isOpen} onClose={onClose} actions={actions}>
      <p>{texts.story}</p>
      {removal.error ? <ProblemBanner problem={removal.error} /> : null}
    </Dialog>
  );
}
