import type { NumberEntry } from '#ui/components/numbers.ts';
import type { ReactNode } from 'react';
import { formatPortion } from '#core/base/units.ts';
import { NumberField } from '#ui/components/Field.tsx';
import { Select } from '#ui/components/Choices.tsx';
import { Term } from '#ui/components/Term.tsx';
import { words } from '#ui/words/words.ts';
import type { CriterionEntry } from '../state/types.ts';
import styles from './CriterionRows.module.css';

interface CriterionSentenceProps {
  readonly criterion: CriterionEntry;
  readonly steps: readonly string[];
  readonly isReadOnly: boolean;
  /** Whether to name the stage; false below a heading with the stage. */
  readonly tellsStage: boolean;
  readonly onChange: (criterion: CriterionEntry) => void;
}

/** A criterion as a sentence with fields, such as "[95 %] of responses to [every request] within [1,000 ms]". */
export function CriterionSentence({ criterion, steps, isReadOnly, tellsStage, onChange }: CriterionSentenceProps) {
  const say = words.wizard.criteria;
  const step = (
    <StepChoice
      isReadOnly={isReadOnly}
      step={criterion.step}
      steps={steps}
      every={criterion.of === 'visits' ? say.everyPage : say.everyStep}
      onChange={(chosen) => onChange({ ...criterion, step: chosen })}
    />
  );
  const limit = `${say.kinds[criterion.kind]}: ${say.limit}`;
  const stage = criterion.stage && tellsStage ? <span>{say.onlyIn(criterion.stage)}</span> : null;
  switch (criterion.kind) {
    case 'responseTime':
      return (
        <>
          <ShareChoice
            isReadOnly={isReadOnly}
            percentile={criterion.percentile}
            onChange={(percentile) => onChange({ ...criterion, percentile })}
          />
          <span>{say.timed[criterion.of]}</span>
          {step}
          <span>{say.within}</span>
          <Figure
            isReadOnly={isReadOnly}
            label={limit}
            value={criterion.maxMs}
            unit="ms"
            step={100}
            onChange={(maxMs) => onChange({ ...criterion, maxMs })}
          />
          {stage}
        </>
      );
    case 'errors':
      return (
        <>
          <span>{say.failing[criterion.of]}</span>
          {step}
          <span>{say.areAtMost}</span>
          <Figure
            isReadOnly={isReadOnly}
            label={limit}
            value={criterion.maxPercent}
            unit="%"
            onChange={(maxPercent) => onChange({ ...criterion, maxPercent })}
          />
          {stage}
        </>
      );
    case 'throughput':
      return (
        <>
          <span>{say.atLeast}</span>
          <Figure
            isReadOnly={isReadOnly}
            label={limit}
            value={criterion.minPerSecond}
            step={10}
            onChange={(minPerSecond) => onChange({ ...criterion, minPerSecond })}
          />
          <span>{say.perSecond}</span>
          {step}
          {stage}
        </>
      );
    case 'apdex':
      return (
        <>
          <Term name="apdex">{say.apdexAtLeast}</Term>
          <Figure
            isReadOnly={isReadOnly}
            label={limit}
            value={criterion.min}
            step={0.05}
            onChange={(min) => onChange({ ...criterion, min })}
          />
          <span>{say.apdexWith}</span>
          <Figure
            isReadOnly={isReadOnly}
            label={`${say.kinds.apdex}: ${say.within}`}
            value={criterion.thresholdMs}
            unit="ms"
            step={100}
            onChange={(thresholdMs) => onChange({ ...criterion, thresholdMs })}
          />
          <span>{say.apdexOf[criterion.of]}</span>
          {step}
          {stage}
        </>
      );
    default:
      return criterion satisfies never;
  }
}

interface FigureProps {
  readonly label: string;
  readonly value: NumberEntry;
  readonly unit?: string;
  readonly step?: number;
  readonly isReadOnly: boolean;
  readonly onChange: (value: NumberEntry) => void;
}

function Figure({ label, value, unit = '', step = 1, isReadOnly, onChange }: FigureProps): ReactNode {
  return (
    <div className={styles.narrow}>
      <NumberField
        hideLabel
        isReadOnly={isReadOnly}
        label={label}
        value={value}
        unit={unit}
        step={step}
        min={0}
        error={typeof value === 'number' ? null : words.wizard.load.numberMissing}
        onChange={onChange}
      />
    </div>
  );
}

interface ShareChoiceProps {
  readonly percentile: number;
  readonly isReadOnly: boolean;
  readonly onChange: (percentile: number) => void;
}

function ShareChoice({ percentile, isReadOnly, onChange }: ShareChoiceProps) {
  const { share, shares } = words.wizard.criteria;
  const all = shares.includes(percentile) ? shares : [...shares, percentile];
  const choices = all.toSorted((a, b) => a - b).map((value) => ({ value: String(value), label: formatPortion(value) }));
  return (
    <div className={styles.medium}>
      <Select
        hideLabel
        isDisabled={isReadOnly}
        label={share}
        value={String(percentile)}
        choices={choices}
        onChange={(value) => onChange(Number(value))}
      />
    </div>
  );
}

const EVERY = '*';

interface StepChoiceProps {
  readonly step: string;
  readonly steps: readonly string[];
  /** Label of the choice that applies to all. */
  readonly every: string;
  readonly isReadOnly: boolean;
  readonly onChange: (step: string) => void;
}

function StepChoice({ step, steps, every, isReadOnly, onChange }: StepChoiceProps) {
  const say = words.wizard.criteria;
  const choices = [{ value: EVERY, label: every }, ...steps.map((name) => ({ value: name, label: `“${name}”` }))];
  return (
    <div className={styles.wide}>
      <Select
        hideLabel
        isDisabled={isReadOnly}
        label={say.step}
        value={step || EVERY}
        choices={choices}
        onChange={(value) => onChange(value === EVERY ? '' : value)}
      />
    </div>
  );
}
