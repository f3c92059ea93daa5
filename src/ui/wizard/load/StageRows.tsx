import { Plus } from 'lucide-react';
import type { Issue } from '#core/plan/issues.ts';
import { Button } from '#ui/components/Button.tsx';
import { Inline, Stack } from '#ui/components/Page.tsx';
import { words } from '#ui/words/words.ts';
import { stagePath } from '../state/issues.ts';
import type { LoadEntry, StageEntry } from '../state/loadEntry.ts';
import { useWizard } from '../WizardContext.ts';
import { StageRow } from './StageRow.tsx';
import styles from './StageRows.module.css';

interface StageRowsProps {
  readonly load: LoadEntry;
  readonly issues: readonly Issue[];
  /** The rows are about to be replaced by those of newer answers: an edit of them would bring the old ones back. */
  readonly isStale: boolean;
}

/** The stages as rows, bound to the picture above: an edit here takes the load out of the hands of the answers. */
export function StageRows({ load, issues, isStale }: StageRowsProps) {
  const { dispatch } = useWizard();
  const { stages } = load;
  const say = words.load.stages;
  const edit = (next: readonly StageEntry[]): void => dispatch({ type: 'loadEdited', load: { ...load, stages: next } });
  const move = (index: number, by: 1 | -1): void => {
    const next = [...stages];
    const [moved] = next.splice(index, 1);
    if (moved) next.splice(index + by, 0, moved);
    edit(next);
  };
  return (
    <Stack gap={12}>
      <p className={styles.story}>
        {say.story} {words.load.explained[load.model]}
      </p>
      <ol className={styles.rows} aria-label={say.list}>
        {stages.map((stage, index) => (
          <StageRow
            key={stage.id}
            model={load.model}
            stage={stage}
            title={stage.name || say.stage(index + 1)}
            path={stagePath(index)}
            issues={issues}
            isReadOnly={isStale}
            isFirst={index === 0}
            isLast={index === stages.length - 1}
            onChange={(changed) => edit(stages.map((other) => (other.id === stage.id ? changed : other)))}
            onMove={(by) => move(index, by)}
            onRemove={() => edit(stages.filter(({ id }) => id !== stage.id))}
          />
        ))}
      </ol>
      <Inline>
        <Button size="small" icon={<Plus />} isPending={isStale} onPress={() => dispatch({ type: 'stageAdded', load })}>
          {say.add}
        </Button>
      </Inline>
    </Stack>
  );
}
