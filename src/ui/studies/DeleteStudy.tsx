import { useState } from 'react';
import { useLocation } from 'wouter';
import { useAction } from '../app/backend.ts';
import { Button } from '../components/Button.tsx';
import { Dialog } from '../components/Dialog.tsx';
import { ProblemBanner } from '../components/ProblemBanner.tsx';
import { words } from '../words/words.ts';

const texts = words.studies.remove;

/** Takes an answer away, after a question: it cannot be taken back. */
export function DeleteStudy({ studyId }: { readonly studyId: string }) {
  const [isAsking, setAsking] = useState(false);
  const remove = useAction('studies.remove', ['studies.list']);
  const [, navigate] = useLocation();
  const close = (): void => setAsking(false);
  const confirm = (): void => remove.mutate({ studyId }, { onSuccess: () => navigate('/find-out') });
  const actions = (
    <>
      <Button onPress={close}>{texts.cancel}</Button>
      <Button look="danger" isPending={remove.isPending} onPress={confirm}>
        {texts.confirm}
      </Button>
    </>
  );
  return (
    <>
      <Button onPress={() => setAsking(true)}>{texts.button}</Button>
      <Dialog title={texts.title} role="alertdialog" isOpen={isAsking} onClose={close} actions={actions}>
        <p>{texts.story}</p>
        {remove.error ? <ProblemBanner problem={remove.error} /> : null}
      </Dialog>
    </>
  );
}
