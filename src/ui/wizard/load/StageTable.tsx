import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import type { Issue } from '#core/plan/issues.ts';
import { Button } from '#ui/components/Button.tsx';
import { Checkbox } from '#ui/components/Checkbox.tsx';
import { NumberField } from '#ui/components/NumberField.tsx';
import { Inline, Stack } from '#ui/components/Page.tsx';
import { Select } from '#ui/components/Select.tsx';
import { Cell, HeadCell, Row, Table } from '#ui/components/Table.tsx';
import { Term } from '#ui/components/Term.tsx';
import { TextField } from '#ui/components/TextField.tsx';
import { words } from '#ui/words/words.ts';
import { messageAt, stagePath } from '../state/issues.ts';
import type { StageEntry } from '../state/types.ts';
import { useWizard } from '../WizardContext.ts';
import styles from './StageTable.module.css';

interface StageTableProps {
  readonly stages: readonly StageEntry[];
  readonly issues: readonly Issue[];
  /** The rows are about to be replaced by those of newer answers: an edit of them would bring the old ones back. */
  readonly isStale: boolean;
}

const ENDS = (['seconds', 'requests'] as const).map((value) => ({ value, label: words.wizard.load.ends[value] }));
const NEW_STAGE = { connections: 10, seconds: 30, counted: true };

/** The stages as rows, bound to the picture above: an edit here takes them out of the hands of the answers. */
export function StageTable({ stages, issues, isStale }: StageTableProps) {
  const { dispatch } = useWizard();
  const say = words.wizard.load;
  const edit = (next: readonly StageEntry[]): void => dispatch({ type: 'stagesEdited', stages: next });
  const change = (id: number, changed: Partial<StageEntry>): void =>
    edit(stages.map((stage) => (stage.id === id ? { ...stage, ...changed } : stage)));
  const move = (index: number, by: 1 | -1): void => {
    const next = [...stages];
    const [moved] = next.splice(index, 1);
    if (moved) next.splice(index + by, 0, moved);
    edit(next);
  };
  return (
    <Stack gap={12}>
      <p className={styles.story}>
        {say.stagesStory} {say.connectionsHelp}
      </p>
      <Table caption={say.stages}>
        <thead>
          <Row>
            <HeadCell>{say.columns.name}</HeadCell>
            <HeadCell>
              <Term name="connections">{say.columns.connections}</Term>
            </HeadCell>
            <HeadCell>{say.columns.end}</HeadCell>
            <HeadCell>
              <Term name="counted">{say.columns.counted}</Term>
            </HeadCell>
            <HeadCell>
              <span className={styles.hidden}>{say.columns.remove}</span>
            </HeadCell>
          </Row>
        </thead>
        <tbody>
          {stages.map((stage, index) => {
            const name = stage.name || say.stage(index + 1);
            const message = messageAt(issues, stagePath(index));
            return (
              <Row key={stage.id}>
                <Cell>
                  <div className={styles.name}>
                    <TextField
                      hideLabel
                      label={`${name}: ${say.columns.name}`}
                      isReadOnly={isStale}
                      value={stage.name}
                      placeholder={name}
                      onChange={(next) => change(stage.id, { name: next })}
                    />
                    {message ? <p className={styles.message}>{message}</p> : null}
                  </div>
                </Cell>
                <Cell>
                  <div className={styles.number}>
                    <NumberField
                      hideLabel
                      label={`${name}: ${say.columns.connections}`}
                      isReadOnly={isStale}
                      value={stage.connections}
                      min={1}
                      error={missing(stage.connections)}
                      onChange={(connections) => change(stage.id, { connections })}
                    />
                  </div>
                </Cell>
                <Cell>
                  <div className={styles.end}>
                    <NumberField
                      hideLabel
                      label={`${name}: ${say.columns.end}`}
                      isReadOnly={isStale}
                      value={stage.amount}
                      min={1}
                      error={missing(stage.amount)}
                      onChange={(amount) => change(stage.id, { amount })}
                    />
                    <Select
                      hideLabel
                      label={`${name}: ${say.columns.end}`}
                      isDisabled={isStale}
                      value={stage.end}
                      choices={ENDS}
                      onChange={(end) => change(stage.id, { end })}
                    />
                  </div>
                </Cell>
                <Cell>
                  <Checkbox
                    label={`${name}: ${say.columns.counted}`}
                    isReadOnly={isStale}
                    isSelected={stage.counted}
                    onChange={(counted) => change(stage.id, { counted })}
                  />
                </Cell>
                <Cell numeric>
                  <Button
                    look="quiet"
                    size="small"
                    icon={<ArrowUp />}
                    aria-label={say.moveUp(name)}
                    isPending={isStale}
                    isDisabled={index === 0}
                    onPress={() => move(index, -1)}
                  />
                  <Button
                    look="quiet"
                    size="small"
                    icon={<ArrowDown />}
                    aria-label={say.moveDown(name)}
                    isPending={isStale}
                    isDisabled={index === stages.length - 1}
                    onPress={() => move(index, 1)}
                  />
                  <Button
                    look="quiet"
                    size="small"
                    icon={<Trash2 />}
                    aria-label={say.removeStage(name)}
                    isPending={isStale}
                    isDisabled={stages.length === 1}
                    onPress={() => edit(stages.filter(({ id }) => id !== stage.id))}
                  />
                </Cell>
              </Row>
            );
          })}
        </tbody>
      </Table>
      <Inline>
        <Button size="small" icon={<Plus />} isPending={isStale} onPress={() => dispatch({ type: 'stageAdded', stages, stage: NEW_STAGE })}>
          {say.addStage}
        </Button>
      </Inline>
    </Stack>
  );
}

function missing(value: StageEntry['amount']): string | null {
  return typeof value === 'number' ? null : words.wizard.load.numberMissing;
}
