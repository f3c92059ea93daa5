import { Trash2 } from 'lucide-react';
import type { Issue } from '#core/plan/issues.ts';
import { USUAL_CRITERIA } from '#core/plan/criteria.ts';
import type { Criterion } from '#core/plan/schema/plan.ts';
import { Banner } from '#ui/components/Banner.tsx';
import { Button } from '#ui/components/Button.tsx';
import { Inline, Stack } from '#ui/components/Page.tsx';
import { Select } from '#ui/components/Choices.tsx';
import { words } from '#ui/words/words.ts';
import { messageAt, criterionPath } from '../state/readiness.ts';
import { fromCriterion } from '../state/entries.ts';
import { newIdIn } from '../state/loadEntry.ts';
import type { CriterionEntry, CriterionKind } from '../state/types.ts';
import { useWizard } from '../WizardProvider.tsx';
import { CriterionSentence } from './CriterionSentence.tsx';
import styles from './CriterionRows.module.css';

interface CriterionRowsProps {
  readonly criteria: readonly CriterionEntry[];
  /** Names of the requests that a criterion can apply to. */
  readonly steps: readonly string[];
  /** Names of watched pages, for criteria about visits. */
  readonly pages: readonly string[];
  readonly issues: readonly Issue[];
  readonly isEdited: boolean;
  /** Whether the rows will be replaced by newly calculated ones. */
  readonly isStale: boolean;
}

const KINDS: readonly CriterionKind[] = ['responseTime', 'errors', 'throughput', 'apdex'];
const FIRST: Record<CriterionKind, Criterion> = {
  responseTime: USUAL_CRITERIA[0],
  errors: USUAL_CRITERIA[1],
  throughput: { kind: 'throughput', minPerSecond: 100 },
  apdex: { kind: 'apdex', thresholdMs: 500, min: 0.85 },
};

/** Criteria as sentences with editable numbers. */
export function CriterionRows({ criteria, steps, pages, issues, isEdited, isStale }: CriterionRowsProps) {
  const { dispatch } = useWizard();
  const say = words.wizard.criteria;
  const stages = new Set(criteria.map(({ stage }) => stage));
  const edit = (next: readonly CriterionEntry[] | null): void => dispatch({ type: 'criteriaEdited', criteria: next });
  return (
    <Stack gap={16}>
      <p className={styles.story}>{say.story}</p>
      {criteria.length === 0 ? <Banner tone="inconclusive">{say.none}</Banner> : null}
      {byStage(criteria).map(({ stage, rows }) => (
        <section key={stage} className={styles.group}>
          {stages.size > 1 ? <h3 className={styles.stage}>{stage === '' ? say.inEvery : say.inStage(stage)}</h3> : null}
          <ul className={styles.list}>
            {rows.map(({ criterion, index }) => (
              <li key={criterion.id} className={styles.row}>
                <div className={styles.sentence}>
                  <CriterionSentence
                    criterion={criterion}
                    steps={criterion.of === 'visits' ? pages : steps}
                    isReadOnly={isStale}
                    tellsStage={stages.size === 1}
                    onChange={(changed) => edit(criteria.map((other) => (other.id === changed.id ? changed : other)))}
                  />
                </div>
                <Button
                  look="quiet"
                  size="small"
                  icon={<Trash2 />}
                  isPending={isStale}
                  aria-label={say.remove(`${say.kinds[criterion.kind]} ${index + 1}`)}
                  onPress={() => edit(criteria.filter(({ id }) => id !== criterion.id))}
                />
                <Message text={messageAt(issues, criterionPath(index))} />
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
            if (known) edit([...criteria, fromCriterion(FIRST[known], newIdIn(criteria))]);
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
  readonly rows: readonly { readonly criterion: CriterionEntry; readonly index: number }[];
}

/** Groups criteria by stage, in order of first occurrence; criteria for every stage come first. */
function byStage(criteria: readonly CriterionEntry[]): Group[] {
  const groups = Map.groupBy(
    criteria.map((criterion, index) => ({ criterion, index })),
    ({ criterion }) => criterion.stage,
  );
  return [...groups].map(([stage, rows]) => ({ stage, rows })).sort((one, other) => Number(one.stage !== '') - Number(other.stage !== ''));
}

function Message({ text }: { readonly text: string | null }) {
  return text ? <p className={styles.message}>{text}</p> : null;
}
