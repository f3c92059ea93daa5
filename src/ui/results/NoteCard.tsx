import { useEffect, useEffectEvent, useState } from 'react';
import { useAction, useConnectionState } from '#ui/shared/backend.ts';
import { Button } from '../components/Button.tsx';
import { Card } from '#ui/components/Page.tsx';
import { ProblemBanner } from '#ui/components/Banner.tsx';
import { TextField } from '../components/Field.tsx';
import { words } from '../words/words.ts';
import styles from './ResultPage.module.css';

const MAX_LENGTH = 10_000;
const DEBOUNCE_MS = 1_000;
const texts = words.results.note;

/** Field for a note about the run. The note is saved after a pause in typing, and when the user leaves the field or the page. */
export function NoteCard({ runId, note }: { readonly runId: string; readonly note: string }) {
  // Entered text takes precedence over an older note that is loaded afterwards.
  const [typed, setTyped] = useState<string | null>(null);
  const [sent, setSent] = useState<string | null>(null);
  const save = useAction('runs.note', ['runs.result', 'runs.list']);
  const isConnected = useConnectionState() === 'open';
  const text = typed ?? note;
  const isUnsaved = text !== (sent ?? note) || save.isError;

  const saveNote = (): void => {
    if (!isUnsaved) return;
    setSent(text);
    save.mutate({ runId, note: text });
  };
  const keepNow = useEffectEvent(saveNote);
  useEffect(() => {
    if (typed === null || !isConnected) return;
    const timer = setTimeout(() => keepNow(), DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed, isConnected]);
  useEffect(() => {
    const saveBeforeLeaving = (): void => keepNow();
    window.addEventListener('beforeunload', saveBeforeLeaving);
    return () => {
      window.removeEventListener('beforeunload', saveBeforeLeaving);
      saveBeforeLeaving();
    };
  }, []);

  return (
    <Card title={texts.title}>
      <div className={styles.figures}>
        <div className={styles.screenOnly}>
          <TextField
            label={texts.label}
            hideLabel
            value={text}
            onChange={setTyped}
            onBlur={saveNote}
            // An empty note takes up only one line.
            rows={text === '' ? 1 : 3}
            maxLength={MAX_LENGTH}
            placeholder={texts.placeholder}
          />
          <output className={styles.quiet}>{save.isSuccess && !isUnsaved ? texts.saved : ''}</output>
        </div>
        {/* Printed instead of the text area, which prints only its visible lines. */}
        <p className={styles.printedNote}>{text}</p>
        {save.error ? (
          <>
            <ProblemBanner problem={save.error} />
            <div>
              <Button isPending={save.isPending} onPress={saveNote}>
                {texts.save}
              </Button>
            </div>
          </>
        ) : null}
      </div>
    </Card>
  );
}
