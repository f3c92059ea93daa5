import { Check, Pencil, X } from 'lucide-react';
import { useState } from 'react';
import type { RunRow } from '#contract/replies.ts';
import { useRename } from '../app/useRename.ts';
import { Button } from '../components/Button.tsx';
import { TextField } from '../components/TextField.tsx';
import { words } from '../words/words.ts';
import styles from './RunTable.module.css';

/** The name leads to the run; the pencil turns it into a field. Enter keeps, Escape does not. */
export function RunName({ run }: { readonly run: RunRow }) {
  const [draft, setDraft] = useState<string | null>(null);
  const rename = useRename();
  const say = words.history;
  if (draft === null) {
    return (
      <span className={styles.nameLine}>
        <a href={`#/runs/${run.id}`}>{run.name}</a>
        <Button look="quiet" size="small" icon={<Pencil />} aria-label={say.rename(run.name)} onPress={() => setDraft(run.name)} />
      </span>
    );
  }
  const keep = (): void => {
    const name = draft.trim();
    if (name === '' || name === run.name) return setDraft(null);
    return rename.mutate({ runId: run.id, name }, { onSuccess: () => setDraft(null) });
  };
  return (
    // oxlint-disable-next-line jsx-a11y/no-static-element-interactions -- [Escape is heard for the field and its buttons together]
    <div
      className={styles.nameLine}
      ref={focusFirst}
      onKeyDown={(event) => {
        if (event.key === 'Escape') setDraft(null);
      }}
    >
      <div className={styles.nameEdit}>
        <TextField
          label={say.renameLabel}
          hideLabel
          value={draft}
          maxLength={120}
          error={rename.error?.message ?? null}
          onChange={setDraft}
          onEnter={keep}
        />
      </div>
      <Button look="quiet" size="small" icon={<Check />} aria-label={words.common.save} isPending={rename.isPending} onPress={keep} />
      <Button look="quiet" size="small" icon={<X />} aria-label={words.common.cancel} onPress={() => setDraft(null)} />
    </div>
  );
}

/** The field was asked for by a press on the pencil, so it takes the focus over. */
function focusFirst(element: HTMLElement | null): void {
  if (element?.contains(document.activeElement)) return;
  element?.querySelector('input')?.select();
}
