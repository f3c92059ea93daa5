import { ArrowDown, ArrowUp, Plus, Trash2 } from 'lucide-react';
import type { Issue } from '#core/plan/issues.ts';
import { Button } from '#ui/components/Button.tsx';
import { Checkbox } from '#ui/components/Checkbox.tsx';
import { Select } from '#ui/components/Choices.tsx';
import { FieldMessage, NumberField, TextField } from '#ui/components/Field.tsx';
import { words } from '#ui/words/words.ts';
import { Inline, Stack } from '#ui/components/Page.tsx';
import { messageAt, messageBeside, stagePath } from '../state/readiness.ts';
import {
  ARRIVAL_KINDS,
  countsInResult,
  type LoadEntry,
  type LoadModel,
  listNumbers,
  type StageEntry,
  type StageNumber,
} from '../state/loadEntry.ts';
import { withEnd, withKind, withOneMore } from '../state/switchLoad.ts';
import { useWizard } from '../WizardProvider.tsx';
import styles from './StageRows.module.css';

interface StageRowProps {
  readonly model: LoadModel;
  readonly stage: StageEntry;
  /** Name or number of the stage. */
  readonly title: string;
  /** Path of the stage in the plan. */
  readonly path: string;
  readonly issues: readonly Issue[];
  readonly isReadOnly: boolean;
  readonly isFirst: boolean;
  readonly isLast: boolean;
  readonly onChange: (stage: StageEntry) => void;
  readonly onMove: (by: 1 | -1) => void;
  readonly onRemove: () => void;
}

const { stages: say, kinds } = words.load;
const KINDS = ARRIVAL_KINDS.map((value) => ({ value, label: kinds[value] }));
const ENDS = (['seconds', 'requests'] as const).map((value) => ({ value, label: say.ends[value] }));

/**
 * Row of a stage with its name, its numbers, and whether the stage counts. The numbers depend on the load model and on the kind of stage.
 */
function StageRow({ model, stage, title, path, issues, isReadOnly, onChange, ...actions }: StageRowProps) {
  const names = listNumbers(model, stage);
  const canCount = !(model === 'arrivals' && stage.kind === 'pause');
  const rowMessage = messageBeside(issues, path, ['name', ...names]);
  return (
    <li className={styles.row} aria-label={title}>
      <div className={styles.name}>
        <TextField
          label={say.name}
          isReadOnly={isReadOnly}
          value={stage.name}
          placeholder={title}
          error={messageAt(issues, `${path}.name`)}
          onChange={(name) => onChange({ ...stage, name })}
        />
      </div>
      {model === 'arrivals' ? (
        <div className={styles.kind}>
          <Select
            label={say.kind}
            isDisabled={isReadOnly}
            value={stage.kind}
            choices={KINDS}
            onChange={(kind) => onChange(withKind(stage, kind))}
          />
        </div>
      ) : null}
      <div className={styles.numbers}>
        {names.map((name) => (
          <StageNumberField
            key={name}
            name={name}
            stage={stage}
            issue={messageAt(issues, `${path}.${name}`)}
            isReadOnly={isReadOnly}
            isEnd={model === 'connections' && name === stage.end}
            onChange={onChange}
          />
        ))}
        {model === 'connections' ? (
          <div className={styles.end}>
            <Select
              label={say.ends[stage.end]}
              hideLabel
              isDisabled={isReadOnly}
              value={stage.end}
              choices={ENDS}
              onChange={(end) => onChange(withEnd(stage, end))}
            />
          </div>
        ) : null}
      </div>
      <div className={styles.counted} title={canCount ? undefined : say.neverCounted}>
        <Checkbox
          isReadOnly={isReadOnly}
          isDisabled={!canCount}
          isSelected={countsInResult(model, stage)}
          onChange={(isCounted) => onChange({ ...stage, counted: isCounted })}
        >
          {say.counted}
        </Checkbox>
      </div>
      <StageActions title={title} isReadOnly={isReadOnly} {...actions} />
      {rowMessage ? (
        <div className={styles.message}>
          <FieldMessage id={`${path}-message`} error={rowMessage} />
        </div>
      ) : null}
    </li>
  );
}

type StageActionsProps = Pick<StageRowProps, 'title' | 'isReadOnly' | 'isFirst' | 'isLast' | 'onMove' | 'onRemove'>;

function StageActions({ title, isReadOnly, isFirst, isLast, onMove, onRemove }: StageActionsProps) {
  const buttons = [
    { icon: <ArrowUp />, label: say.moveUp(title), isDisabled: isFirst, onPress: () => onMove(-1) },
    { icon: <ArrowDown />, label: say.moveDown(title), isDisabled: isLast, onPress: () => onMove(1) },
    { icon: <Trash2 />, label: say.remove(title), isDisabled: isFirst && isLast, onPress: onRemove },
  ];
  return (
    <div className={styles.actions}>
      {buttons.map(({ icon, label, isDisabled, onPress }) => (
        <Button
          key={label}
          look="quiet"
          size="small"
          icon={icon}
          aria-label={label}
          isPending={isReadOnly}
          isDisabled={isDisabled}
          onPress={onPress}
        />
      ))}
    </div>
  );
}

interface StageNumberFieldProps {
  readonly name: StageNumber;
  readonly stage: StageEntry;
  readonly issue: string | null;
  readonly isReadOnly: boolean;
  /** Whether this number ends the stage. If it does, its unit is chosen next to it. */
  readonly isEnd: boolean;
  readonly onChange: (stage: StageEntry) => void;
}

function StageNumberField({ name, stage, issue, isReadOnly, isEnd, onChange }: StageNumberFieldProps) {
  const { label, unit } = words.load.numbers[name];
  const value = stage.numbers[name] ?? '';
  return (
    <div className={styles.number}>
      <NumberField
        label={isEnd ? say.end : label}
        isReadOnly={isReadOnly}
        value={value}
        min={0}
        error={typeof value === 'number' ? issue : words.load.numberMissing}
        onChange={(next) => onChange({ ...stage, numbers: { ...stage.numbers, [name]: next } })}
        {...(unit === '' || isEnd ? {} : { unit })}
      />
    </div>
  );
}

interface StageRowsProps {
  readonly load: LoadEntry;
  readonly issues: readonly Issue[];
  /** Whether these rows will be replaced by newly calculated ones. An edit would then bring the old rows back. */
  readonly isStale: boolean;
}

/** Shows stages as rows. After an edit, the load no longer follows from the answers to the questions. */
export function StageRows({ load, issues, isStale }: StageRowsProps) {
  const { dispatch } = useWizard();
  const { stages } = load;
  const stagesWords = words.load.stages;
  const editStages = (next: readonly StageEntry[]): void => dispatch({ type: 'loadEdited', load: { ...load, stages: next } });
  const moveStage = (index: number, by: 1 | -1): void => {
    const next = [...stages];
    const [moved] = next.splice(index, 1);
    if (moved) next.splice(index + by, 0, moved);
    editStages(next);
  };
  return (
    <Stack gap={12}>
      <p className="muted">
        {stagesWords.story} {words.load.explained[load.model]}
      </p>
      <ol className={styles.rows} aria-label={stagesWords.list}>
        {stages.map((stage, index) => (
          <StageRow
            key={stage.id}
            model={load.model}
            stage={stage}
            title={stage.name || stagesWords.stage(index + 1)}
            path={stagePath(index)}
            issues={issues}
            isReadOnly={isStale}
            isFirst={index === 0}
            isLast={index === stages.length - 1}
            onChange={(changed) => editStages(stages.map((other) => (other.id === stage.id ? changed : other)))}
            onMove={(by) => moveStage(index, by)}
            onRemove={() => editStages(stages.filter(({ id }) => id !== stage.id))}
          />
        ))}
      </ol>
      <Inline>
        <Button size="small" icon={<Plus />} isPending={isStale} onPress={() => dispatch({ type: 'loadEdited', load: withOneMore(load) })}>
          {stagesWords.add}
        </Button>
      </Inline>
    </Stack>
  );
}
