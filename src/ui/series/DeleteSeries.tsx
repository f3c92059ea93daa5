import { useState } from 'react';
import { useLocation } from 'wouter';
import { useAction } from '../app/backend.ts';
import { Button } from '../components/Button.tsx';
import { Dialog } from '../components/Dialog.tsx';
import { ProblemBanner } from '../components/ProblemBanner.tsx';
import { words } from '../words/words.ts';

const texts = words.series.remove;

/** Takes a series away, after a question: unlike a run, its table cannot be taken back. */
export function DeleteSeries({ seriesId }: { readonly seriesId: string }) {
  const [isAsking, setAsking] = useState(false);
  const remove = useAction('series.remove', ['runs.list']);
  const [, navigate] = useLocation();
  const close = (): void => setAsking(false);
  return (
    <>
      <Button onPress={() => setAsking(true)}>{texts.button}</Button>
      <Dialog
        title={texts.title}
        role="alertdialog"
        isOpen={isAsking}
        onClose={close}
        actions={
          <>
            <Button onPress={close}>{texts.cancel}</Button>
            <Button
              look="danger"
              isPending={remove.isPending}
              onPress={() => remove.mutate({ seriesId }, { onSuccess: () => navigate('/history') })}
            >
              {texts.confirm}
            </Button>
          </>
        }
      >
        <p>{texts.story}</p>
        {remove.error ? <ProblemBanner problem={remove.error} /> : null}
      </Dialog>
    </>
  );
}
