import { useState } from 'react';
import { useAction } from '../app/backend.ts';
import { notify } from '../app/notices.ts';
import { Button } from '../components/Button.tsx';
import { Card } from '../components/Card.tsx';
import { ProblemBanner } from '../components/ProblemBanner.tsx';
import { TextField } from '../components/TextField.tsx';
import { words } from '../words/words.ts';
import styles from './ResultPage.module.css';

const MOST_CHARACTERS = 10_000;
const texts = words.results.note;

/** What somebody wants to remember about the run. */
export function NoteCard({ runId, note }: { readonly runId: string; readonly note: string }) {
  const [draft, setDraft] = useState(note);
  const save = useAction('runs.note', ['runs.result', 'runs.list']);
  const isChanged = draft !== note;
  return (
    <Card title={texts.title}>
      <div className={styles.figures}>
        <TextField
          label={texts.label}
          value={draft}
          onChange={setDraft}
          rows={3}
          maxLength={MOST_CHARACTERS}
          placeholder={texts.placeholder}
        />
        {save.error ? <ProblemBanner problem={save.error} /> : null}
        {isChanged ? (
          <div>
            <Button
              isPending={save.isPending}
              onPress={() => save.mutate({ runId, note: draft }, { onSuccess: () => notify(texts.saved) })}
            >
              {texts.save}
            </Button>
          </div>
        ) : null}
      </div>
    </Card>
  );
}
