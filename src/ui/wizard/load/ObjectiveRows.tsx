import { Trash2 } from 'lucide-react';
import type { Issue } from '#core/plan/issues.ts';
import { USUAL_OBJECTIVES } from '#core/plan/objectives.ts';
import type { Objective } from '#core/plan/schema/plan.ts';
import { Banner } from '#ui/components/Banner.tsx';
import { Button } from '#ui/components/Button.tsx';
import { Inline, Stack } from '#ui/components/Page.tsx';
import { Select } from '#ui/components/Choices.tsx';
import { words } from '#ui/words/words.ts';
import { messageAt, objectivePath } from '../state/readiness.ts';
import type { ObjectiveEntry, ObjectiveKind } from '../state/types.ts';
import { useWizard } from '../WizardProvider.tsx';
import { ObjectiveSentence } from './ObjectiveSentence.tsx';
import styles from './ObjectiveRows.module.css';

interface ObjectiveRowsProps {
  readonly objectives: readonly ObjectiveEntry[];
  /** Names of the requests that a criterion can apply to. */
  readonly steps: readonly string[];
  /** Names of watched pages, for criteria about visits. */
  readonly pages: readonly string[];
  readonly issues: readonly Issue[];
  readonly isEdited: boolean;
  /** Whether the rows will be replaced by newly calculated ones. */
  readonly isStale: boolean;
}

const KINDS: readonly ObjectiveKind[] = ['responseTime', 'errors', 'throughput', 'apdex'];
const FIRST: Record<ObjectiveKind, Objective> = {
  responseTime: USUAL_OBJECTIVES[0],
  errors: USUAL_OBJECTIVES[1],
  throughput: { kind: 'throughput', minPerSecond: 100 },
  apdex: { kind: 'apdex', thresholdMs: 500, min: 0.85 },
};

/** Criteria as sentences with editable numbers. */
export function ObjectiveRows({ objectives, steps, pages, issues, isEdited, isStale }: ObjectiveRowsProps) {
  const { dispatch } = useWizard();
  const say = words.wizard.objectives;
  const stages = new Set(objectives.map(({ stage }) => stage));
  const edit = (next: readonly ObjectiveEntry[] | null): void => dispatch({ type: 'objectivesEdited', objectives: next });
  return (
    <Stack gap={16}>
      <p className={styles.story}>{say.story}</p>
      {objectives.length === 0 ? <Banner tone="inconclusive">{say.none}</Banner> : null}
      {byStage(objectives).map(({ stage, rows }) => (
        <section key={stage} className={styles.group}>
          {stages.size > 1 ? <h3 className={styles.stage}>{stage === '' ? say.inEvery : say.inStage(stage)}</h3> : null}
          <ul className={styles.list}>
            {rows.map(({ objective, index }) => (
              <li key={objective.id} className={styles.row}>
                <div className={styles.sentence}>
                  <ObjectiveSentence
                    objective={objective}
                    steps={objective.of === 'visits' ? pages : steps}
                    isReadOnly={isStale}
                    tellsStage={stages.size === 1}
                    onChange={(changed) => edit(objectives.map((other) => (other.id === changed.id ? changed : other)))}
                  />
                </div>
                <Button
                  look="quiet"
                  size="small"
                  icon={<Trash2 />}
                  isPending={isStale}
                  aria-label={say.remove(`${say.kinds[objective.kind]} ${index + 1}`)}
                  onPress={() => edit(objectives.filter(({ id }) => id !== objective.id))}
                />
                <Message text={messageAt(issues, objectivePath(index))} />
              </li>
            ))}
          </ul>
        </section>
      ))}
      <Inline gap={12}>
        <Select
          label={say.add}
          hideLabel
          isDisabled={isStale}
          value="add"
          choices={[{ value: 'add', label: say.add }, ...KINDS.map((kind) => ({ value: kind, label: say.kinds[kind] }))]}
          onChange={(kind) => {
            const known = KINDS.find((each) => each === kind);
            if (known) dispatch({ type: 'objectiveAdded', objectives, objective: FIRST[known] });
          }}
        />
        {isEdited ? (
          <Button look="quiet" size="small" onPress={() => edit(null)}>
            {say.reset}
          </Button>
        ) : null}
      </Inline>
    </Stack>
  );
}

interface Group {
  /** Name of the stage; empty for every stage. */
  readonly stage: string;
  readonly rows: readonly { readonly objective: ObjectiveEntry; readonly index: number }[];
}

/** Groups criteria by stage, in order of first occurrence; criteria for every stage come first. */
function byStage(objectives: readonly ObjectiveEntry[]): Group[] {
  const groups = Map.groupBy(
    objectives.map((objective, index) => ({ objective, index })),
    ({ objective }) => objective.stage,
  );
  return [...groups].map(([stage, rows]) => ({ stage, rows })).sort((one, other) => Number(one.stage !== '') - Number(other.stage !== ''));
}

function Message({ text }: { readonly text: string | null }) {
  return text ? <p className={styles.message}>{text}</p> : null;
}
