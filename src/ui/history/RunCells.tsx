import { Check, Pencil, StickyNote, X } from 'lucide-react';
import { useState } from 'react';
import type { RunRow } from '#contract/replies.ts';
import { formatCount, formatMs } from '#core/base/units.ts';
import { SERIES } from '#core/presentation/charts/looks.ts';
import { useAction } from '#ui/shared/backend.ts';
import { Button } from '../components/Button.tsx';
import { Confirm } from '../components/Dialog.tsx';
import { ProblemBanner } from '#ui/components/Banner.tsx';
import { TextField } from '../components/Field.tsx';
import { laterWords } from '../words/laterWords.ts';
import { words } from '../words/words.ts';
import { useRename } from '#ui/shared/runActions.ts';
import { Sparkline } from '../charts/Sparkline.tsx';
import styles from './RunTable.module.css';

export function NoteCell({ run }: { readonly run: RunRow }) {
  const [draft, setDraft] = useState<string | null>(null);
  const note = useAction('runs.note', ['runs.list', 'runs.result']);
  const historyWords = laterWords.history;
  const close = (): void => setDraft(null);
  const save = (): void => {
    if (draft !== null) note.mutate({ runId: run.id, note: draft.trim() }, { onSuccess: close });
  };
  return (
    <div className={styles.note}>
      {run.note ? <span className={styles.noteText}>{run.note}</span> : null}
      <Button look="quiet" size="small" icon={<StickyNote />} aria-label={historyWords.note(run.name)} onPress={() => setDraft(run.note)} />
      <Confirm
        title={historyWords.note(run.name)}
        confirm={words.common.save}
        isDismissable
        isOpen={draft !== null}
        isPending={note.isPending}
        onClose={close}
        onConfirm={save}
      >
        <TextField label={historyWords.noteLabel} rows={5} value={draft ?? ''} maxLength={10_000} onChange={setDraft} />
        {note.error ? <ProblemBanner problem={note.error} onRetry={save} /> : null}
      </Confirm>
    </div>
  );
}

/** Name of a run, with a link to the run and a button to rename it. Enter saves the new name; Escape cancels. */
export function RunName({ run }: { readonly run: RunRow }) {
  const [draft, setDraft] = useState<string | null>(null);
  const rename = useRename();
  const historyWords = laterWords.history;
  if (draft === null) {
    return (
      <span className={styles.nameLine}>
        <a href={`#/runs/${run.id}`}>{run.name}</a>
        <Button look="quiet" size="small" icon={<Pencil />} aria-label={historyWords.rename(run.name)} onPress={() => setDraft(run.name)} />
      </span>
    );
  }
  const saveName = (): void => {
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
          label={historyWords.renameLabel}
          hideLabel
          value={draft}
          maxLength={120}
          error={rename.error?.message ?? null}
          onChange={setDraft}
          onEnter={saveName}
        />
      </div>
      <Button look="quiet" size="small" icon={<Check />} aria-label={words.common.save} isPending={rename.isPending} onPress={saveName} />
      <Button look="quiet" size="small" icon={<X />} aria-label={words.common.cancel} onPress={() => setDraft(null)} />
    </div>
  );
}

/** Focuses the field after a click on the rename button. */
function focusFirst(element: HTMLElement | null): void {
  if (element?.contains(document.activeElement)) return;
  element?.querySelector('input')?.select();
}

/** Minimum number of runs for a trend. */
const MIN_TREND_RUNS = 3;

/** Sparkline of p95 for similar runs up to this one. */
export function Trend({ p95Ms }: { readonly p95Ms: readonly RunRow['p95Ms'][] }) {
  if (p95Ms.length < MIN_TREND_RUNS) return null;
  const [first = null] = p95Ms;
  const label = laterWords.history.trend(formatCount(p95Ms.length), formatMs(first), formatMs(p95Ms.at(-1) ?? null));
  return (
    <span className={styles.trend}>
      <Sparkline values={p95Ms.map((time) => (time === 'never' ? null : time))} label={label} color={SERIES.p90.color} />
    </span>
  );
}
