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
import type { CriterionEntry, CriterionKind, CriterionNumber } from '../state/types.ts';
import { useWizard } from '../WizardProvider.tsx';
import styles from './CriterionRows.module.css';
import { Fragment } from 'react';
import { formatPercentile } from '#core/base/units.ts';
import { NumberField } from '#ui/components/Field.tsx';
import { Term } from '#ui/components/Term.tsx';

interface CriterionRowsProps {
  readonly criteria: readonly CriterionEntry[];
  /** Names of the requests to which a criterion can apply. */
  readonly steps: readonly string[];
  /** Names of watched pages, for criteria about visits. */
  readonly pages: readonly string[];
  readonly issues: readonly Issue[];
  readonly isEdited: boolean;
  /** Whether these rows will be replaced by newly calculated ones. */
  readonly isStale: boolean;
}

const KINDS: readonly CriterionKind[] = ['responseTime', 'errors', 'throughput', 'apdex'];
const FIRST: Record<CriterionKind, Criterion> = {
  responseTime: USUAL_CRITERIA[0],
  errors: USUAL_CRITERIA[1],
  throughput: { kind: 'throughput', minPerSecond: 100 },
  apdex: { kind: 'apdex', thresholdMs: 500, min: 0.85 },
};

/** Shows criteria as sentences with editable numbers. */
export function CriterionRows({ criteria, steps, pages, issues, isEdited, isStale }: CriterionRowsProps) {
  const { dispatch } = useWizard();
  const criteriaWords = words.wizard.criteria;
  const stages = new Set(criteria.map(({ stage }) => stage));
  const edit = (next: readonly CriterionEntry[] | null): void => dispatch({ type: 'criteriaEdited', criteria: next });
  return (
    <Stack gap={16}>
      <p className="muted">{criteriaWords.story}</p>
      {criteria.length === 0 ? <Banner tone="inconclusive">{criteriaWords.none}</Banner> : null}
      {byStage(criteria).map(({ stage, rows }) => (
        <section key={stage}>
          {stages.size > 1 ? <h3 className={styles.stage}>{stage === '' ? criteriaWords.inEvery : criteriaWords.inStage(stage)}</h3> : null}
          <ul className={styles.list}>
            {rows.map(({ criterion, index }) => (
              <li key={criterion.id} className={styles.row}>
                <div className={styles.sentence}>
                  <CriterionSentence
                    criterion={criterion}
                    steps={criterion.of === 'visits' ? pages : steps}
                    isReadOnly={isStale}
                    namesStage={stages.size === 1}
                    onChange={(changed) => edit(criteria.map((other) => (other.id === changed.id ? changed : other)))}
                  />
                </div>
                <Button
                  look="quiet"
                  size="small"
                  icon={<Trash2 />}
                  isPending={isStale}
                  aria-label={criteriaWords.remove(`${criteriaWords.kinds[criterion.kind]} ${index + 1}`)}
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
          label={criteriaWords.add}
          hideLabel
          isDisabled={isStale}
          value="add"
          choices={[
            { value: 'add', label: criteriaWords.add },
            ...KINDS.map((kind) => ({ value: kind, label: criteriaWords.kinds[kind] })),
          ]}
          onChange={(kind) => {
            const known = KINDS.find((each) => each === kind);
            if (known) edit([...criteria, fromCriterion(FIRST[known], newIdIn(criteria))]);
          }}
        />
        {isEdited ? (
          <Button look="quiet" size="small" onPress={() => edit(null)}>
            {criteriaWords.reset}
          </Button>
        ) : null}
      </Inline>
    </Stack>
  );
}

interface Group {
  /** Name of the stage; empty if the criteria apply to every stage. */
  readonly stage: string;
  readonly rows: readonly { readonly criterion: CriterionEntry; readonly index: number }[];
}

/** Groups criteria by stage, in the order in which stages first occur. Criteria for every stage come first. */
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

const criteriaWords = words.wizard.criteria;

/** A part of the sentence that states a criterion: words, the choice of a request, or a field for a number. */
type SentencePart =
  | 'step'
  | 'share'
  | ((of: CriterionEntry['of']) => string)
  | { readonly number: CriterionNumber; readonly unit?: string; readonly step?: number; readonly label?: string };

const SENTENCE_PARTS: Readonly<Record<CriterionKind, readonly SentencePart[]>> = {
  responseTime: ['share', (of) => criteriaWords.timed[of], 'step', () => criteriaWords.within, { number: 'maxMs', unit: 'ms', step: 100 }],
  errors: [(of) => criteriaWords.failing[of], 'step', () => criteriaWords.areAtMost, { number: 'maxShare', unit: '%' }],
  throughput: [() => criteriaWords.atLeast, { number: 'minPerSecond', step: 10 }, () => criteriaWords.perSecond, 'step'],
  apdex: [
    () => criteriaWords.apdexAtLeast,
    { number: 'min', step: 0.05 },
    () => criteriaWords.apdexWith,
    { number: 'thresholdMs', unit: 'ms', step: 100, label: criteriaWords.within },
    (of) => criteriaWords.computeApdex[of],
    'step',
  ],
};

interface CriterionSentenceProps {
  readonly criterion: CriterionEntry;
  readonly steps: readonly string[];
  readonly isReadOnly: boolean;
  /** Whether the sentence names the stage; false if the heading above it does. */
  readonly namesStage: boolean;
  readonly onChange: (criterion: CriterionEntry) => void;
}

/** Shows a criterion as a sentence with fields, such as "[95 %] of responses to [every request] within [1,000 ms]". */
function CriterionSentence({ namesStage, ...rest }: CriterionSentenceProps) {
  const { kind, stage } = rest.criterion;
  return (
    <>
      {SENTENCE_PARTS[kind].map((part, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- [what a part is follows from its place]
        <Fragment key={place}>
          <PartField part={part} isTerm={kind === 'apdex' && place === 0} {...rest} />
        </Fragment>
      ))}
      {stage && namesStage ? <span>{criteriaWords.onlyIn(stage)}</span> : null}
    </>
  );
}

interface PartFieldProps extends Omit<CriterionSentenceProps, 'namesStage'> {
  readonly part: SentencePart;
  readonly isTerm: boolean;
}

function PartField({ part, isTerm, criterion, steps, isReadOnly, onChange }: PartFieldProps) {
  const { kind, of, numbers } = criterion;
  const change = (name: CriterionNumber, value: number | string): void =>
    onChange({ ...criterion, numbers: { ...numbers, [name]: value } });
  if (typeof part === 'function') return isTerm ? <Term name="apdex">{part(of)}</Term> : <span>{part(of)}</span>;
  if (part === 'step') {
    const every = of === 'visits' ? criteriaWords.everyPage : criteriaWords.everyStep;
    return (
      <div className={styles.wide}>
        <Select
          hideLabel
          isDisabled={isReadOnly}
          label={criteriaWords.step}
          value={criterion.step || EVERY_STEP}
          choices={[{ value: EVERY_STEP, label: every }, ...steps.map((name) => ({ value: name, label: `“${name}”` }))]}
          onChange={(step) => onChange({ ...criterion, step: step === EVERY_STEP ? '' : step })}
        />
      </div>
    );
  }
  if (part === 'share') {
    const percentile = Number(numbers.percentile);
    return (
      <div className={styles.medium}>
        <Select
          hideLabel
          isDisabled={isReadOnly}
          label={criteriaWords.share}
          value={String(percentile)}
          choices={[...new Set([...criteriaWords.shares, percentile])]
            .toSorted((a, b) => a - b)
            .map((value) => ({ value: String(value), label: formatPercentile(value) }))}
          onChange={(value) => change('percentile', Number(value))}
        />
      </div>
    );
  }
  const value = numbers[part.number] ?? '';
  return (
    <div className={styles.narrow}>
      <NumberField
        hideLabel
        isReadOnly={isReadOnly}
        label={`${criteriaWords.kinds[kind]}: ${part.label ?? criteriaWords.limit}`}
        value={value}
        unit={part.unit ?? ''}
        step={part.step ?? 1}
        min={0}
        error={typeof value === 'number' ? null : words.wizard.load.numberMissing}
        onChange={(next) => change(part.number, next)}
      />
    </div>
  );
}

const EVERY_STEP = '*';
