import { StickyNote } from 'lucide-react';
import { useState } from 'react';
import type { RunRow } from '#contract/replies.ts';
import { useAction } from '../app/backend.ts';
import { Button } from '../components/Button.tsx';
import { Dialog } from '../components/Dialog.tsx';
import { ProblemBanner } from '../components/ProblemBanner.tsx';
import { TextField } from '../components/TextField.tsx';
import { words } from '../words/words.ts';
import styles from './RunTable.module.css';

export function NoteCell({ run }: { readonly run: RunRow }) {
  const [draft, setDraft] = useState<string | null>(null);
  const note = useAction('runs.note', ['runs.list', 'runs.result']);
  const say = words.history;
  const close = (): void => setDraft(null);
  const save = (): void => {
    if (draft !== null) note.mutate({ runId: run.id, note: draft.trim() }, { onSuccess: close });
  };
  return (
    <div className={styles.note}>
      {run.note ? <span className={styles.noteText}>{run.note}</span> : null}
      <Button look="quiet" size="small" icon={<StickyNote />} aria-label={say.note(run.name)} onPress={() => setDraft(run.note)} />
      <Dialog
        title={say.note(run.name)}
        isOpen={draft !== null}
        onClose={close}
        actions={
          <>
            <Button onPress={close}>{words.common.cancel}</Button>
            <Button look="primary" isPending={note.isPending} onPress={save}>
              {words.common.save}
            </Button>
          </>
        }
      >
        <TextField label={say.noteLabel} rows={5} value={draft ?? ''} maxLength={10_000} onChange={setDraft} />
        {note.error ? <ProblemBanner problem={note.error} onRetry={save} /> : null}
      </Dialog>
    </div>
  );
}
