import { RotateCw, Trash2 } from 'lucide-react';
import type { RunRow } from '#contract/replies.ts';
import { useAction } from '../app/backend.ts';
import { notify } from '../app/notices.ts';
import { startWizard } from '../app/wizardSeed.ts';
import { Button } from '../components/Button.tsx';
import { markOf } from '../components/VerdictMark.tsx';
import { words } from '../words/words.ts';
import styles from './RunTable.module.css';

/** Deleting needs no question because it can be taken back. */
export function RunActions({ run }: { readonly run: RunRow }) {
  const remove = useAction('runs.remove', ['runs.list']);
  const restore = useAction('runs.restore', ['runs.list']);
  const say = words.history;
  const isRunning = markOf(run.state, run.outcome) === 'running';
  const takeBack = (): void =>
    restore.mutate({ runId: run.id }, { onSuccess: () => notify(say.restored(run.name)), onError: (error) => notify(error.message) });
  const press = (): void =>
    remove.mutate(
      { runId: run.id },
      {
        onSuccess: () => notify(say.removed(run.name), { label: words.app.undo, act: takeBack }),
        onError: (error) => notify(`${error.message} ${error.hint}`),
      },
    );
  return (
    <span className={styles.actions}>
      <Button
        look="quiet"
        size="small"
        icon={<RotateCw />}
        aria-label={say.again(run.name)}
        onPress={() => startWizard({ kind: 'run', runId: run.id })}
      />
      <Button look="quiet" size="small" icon={<Trash2 />} aria-label={say.remove(run.name)} isDisabled={isRunning} onPress={press} />
    </span>
  );
}
