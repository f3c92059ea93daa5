import { Fragment } from 'react';
import { formatPortion } from '#core/base/units.ts';
import { Select } from '#ui/components/Choices.tsx';
import { NumberField } from '#ui/components/Field.tsx';
import { Term } from '#ui/components/Term.tsx';
import { words } from '#ui/words/words.ts';
import type { CriterionEntry, CriterionKind, CriterionNumber } from '../state/types.ts';
import styles from './CriterionRows.module.css';

const say = words.wizard.criteria;

/** A part of a criterion's sentence: words, the choice of a request, or a field for a number. */
type Part =
  | 'step'
  | 'share'
  | ((of: CriterionEntry['of']) => string)
  | { readonly number: CriterionNumber; readonly unit?: string; readonly step?: number; readonly label?: string };

const SENTENCES: Readonly<Record<CriterionKind, readonly Part[]>> = {
  responseTime: ['share', (of) => say.timed[of], 'step', () => say.within, { number: 'maxMs', unit: 'ms', step: 100 }],
  errors: [(of) => say.failing[of], 'step', () => say.areAtMost, { number: 'maxShare', unit: '%' }],
  throughput: [() => say.atLeast, { number: 'minPerSecond', step: 10 }, () => say.perSecond, 'step'],
  apdex: [
    () => say.apdexAtLeast,
    { number: 'min', step: 0.05 },
    () => say.apdexWith,
    { number: 'thresholdMs', unit: 'ms', step: 100, label: say.within },
    (of) => say.apdexOf[of],
    'step',
  ],
};

interface CriterionSentenceProps {
  readonly criterion: CriterionEntry;
  readonly steps: readonly string[];
  readonly isReadOnly: boolean;
  /** Whether to name the stage; false below a heading with the stage. */
  readonly tellsStage: boolean;
  readonly onChange: (criterion: CriterionEntry) => void;
}

/** A criterion as a sentence with fields, such as "[95 %] of responses to [every request] within [1,000 ms]". */
export function CriterionSentence({ tellsStage, ...rest }: CriterionSentenceProps) {
  const { kind, stage } = rest.criterion;
  return (
    <>
      {SENTENCES[kind].map((part, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- [what a part is follows from its place]
        <Fragment key={place}>
          <PartField part={part} isTerm={kind === 'apdex' && place === 0} {...rest} />
        </Fragment>
      ))}
      {stage && tellsStage ? <span>{say.onlyIn(stage)}</span> : null}
    </>
  );
}

interface PartFieldProps extends Omit<CriterionSentenceProps, 'tellsStage'> {
  readonly part: Part;
  readonly isTerm: boolean;
}

function PartField({ part, isTerm, criterion, steps, isReadOnly, onChange }: PartFieldProps) {
  const { kind, of, numbers } = criterion;
  const change = (name: CriterionNumber, value: number | string): void =>
    onChange({ ...criterion, numbers: { ...numbers, [name]: value } });
  if (typeof part === 'function') return isTerm ? <Term name="apdex">{part(of)}</Term> : <span>{part(of)}</span>;
  if (part === 'step') {
    const every = of === 'visits' ? say.everyPage : say.everyStep;
    return (
      <div className={styles.wide}>
        <Select
          hideLabel
          isDisabled={isReadOnly}
          label={say.step}
          value={criterion.step || EVERY}
          choices={[{ value: EVERY, label: every }, ...steps.map((name) => ({ value: name, label: `“${name}”` }))]}
          onChange={(step) => onChange({ ...criterion, step: step === EVERY ? '' : step })}
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
          label={say.share}
          value={String(percentile)}
          choices={[...new Set([...say.shares, percentile])]
            .toSorted((a, b) => a - b)
            .map((value) => ({ value: String(value), label: formatPortion(value) }))}
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
        label={`${say.kinds[kind]}: ${part.label ?? say.limit}`}
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

const EVERY = '*';
