import type { Issue } from '#core/plan/issues.ts';
import { Banner } from '#ui/components/Banner.tsx';
import { Button } from '#ui/components/Button.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { words } from '#ui/words/words.ts';
import { ChoiceText, RadioCards, Select } from '#ui/components/Choices.tsx';
import {
  LOAD_MODELS,
  type LoadEntry,
  type LoadModel,
  THINK_KINDS,
  THINK_NUMBERS_OF,
  type ThinkTimeEntry,
  USUAL_THINK_TIME,
} from '../state/loadEntry.ts';
import { withModel } from '../state/switchLoad.ts';
import { useWizard } from '../WizardProvider.tsx';
import { StageRows } from './StageRows.tsx';
import styles from './LoadPart.module.css';
import { SPACINGS } from '#core/plan/schema/load.ts';
import { formatCount } from '#core/base/units.ts';
import { NumberField } from '#ui/components/Field.tsx';
import { Term } from '#ui/components/Term.tsx';
import { LOAD_FIELDS, messageAt, messageBeside } from '../state/readiness.ts';

interface ModelChoiceProps {
  readonly model: LoadModel;
  readonly isDisabled: boolean;
  readonly onChange: (model: LoadModel) => void;
}

/** Choice of the load model. Each model is shown with the question that it answers. */
function ModelChoice({ model, isDisabled, onChange }: ModelChoiceProps) {
  const { how, models, switched } = words.load;
  return (
    <RadioCards
      label={how}
      hideLabel
      value={model}
      help={switched}
      layout="three"
      isDisabled={isDisabled}
      onChange={onChange}
      cards={LOAD_MODELS.map((value) => {
        const { name, term, story, goodFor } = models[value];
        return {
          value,
          name: `${name} (${term}). ${story} ${goodFor}`,
          content: (
            <ChoiceText
              title={
                <>
                  {name} <span className="muted">{term}</span>
                </>
              }
              story={story}
            >
              <span className="muted">{goodFor}</span>
            </ChoiceText>
          ),
        };
      })}
    />
  );
}

interface LoadPartProps {
  readonly load: LoadEntry;
  readonly isEdited: boolean;
  readonly isFromPreset: boolean;
  readonly isStale: boolean;
  readonly steps: number;
  /** Whether an entry must be corrected. */
  readonly hasProblem: boolean;
  readonly issues: readonly Issue[];
}

/** Load model, stages and common settings. They are collapsed for a preset, because the preset calculates them. */
export function LoadPart({ load, isEdited, isFromPreset, isStale, steps, hasProblem, issues }: LoadPartProps) {
  const { dispatch } = useWizard();
  const loadWords = words.load;
  return (
    <Disclosure
      level={2}
      title={loadWords.stages.title}
      summary={loadWords.stages.summary(load.stages.length, loadWords.models[load.model].name)}
      isOpenAtFirst={isEdited || !isFromPreset}
      isHeldOpen={hasProblem}
    >
      <Stack gap={16}>
        {isEdited && isFromPreset ? (
          <Banner
            tone="accent"
            actions={<Button onPress={() => dispatch({ type: 'loadEdited', load: null })}>{loadWords.stages.editedReset}</Button>}
          >
            {loadWords.stages.edited}
          </Banner>
        ) : null}
        <Disclosure title={loadWords.how} summary={loadWords.models[load.model].name}>
          <ModelChoice
            model={load.model}
            isDisabled={isStale}
            onChange={(model) => dispatch({ type: 'loadEdited', load: withModel(load, model) })}
          />
        </Disclosure>
        <StageRows load={load} issues={issues} isStale={isStale} />
        <LoadOptions load={load} issues={issues} isStale={isStale} steps={steps} />
      </Stack>
    </Disclosure>
  );
}

interface LoadOptionsProps {
  readonly load: LoadEntry;
  readonly issues: readonly Issue[];
  readonly isStale: boolean;
  /** Number of steps in the journey. Arrivals pause only between steps. */
  readonly steps: number;
}

const loadWords = words.load;
const SPACING_CHOICES = SPACINGS.map((value) => ({ value, label: loadWords.spacing[value] }));

/** Settings that apply to all stages of the load. */
function LoadOptions({ load, issues, isStale, steps }: LoadOptionsProps) {
  const { dispatch } = useWizard();
  const edit = (change: Partial<LoadEntry>): void => dispatch({ type: 'loadEdited', load: { ...load, ...change } });
  const { model, maxInFlight, paceSeconds = '' } = load;
  if (model === 'connections') return null;
  const pauses = model === 'users' || steps > 1;
  return (
    <div className={styles.options}>
      {pauses ? (
        <ThinkTime
          label={model === 'users' ? loadWords.thinkTime.title : loadWords.thinkTime.between}
          none={model === 'users' ? loadWords.thinkTime.none : null}
          thinkTime={load.thinkTime ?? { ...USUAL_THINK_TIME, kind: 'none' }}
          issues={issues}
          isStale={isStale}
          onChange={(thinkTime) => edit({ thinkTime })}
        />
      ) : null}
      {model === 'users' ? (
        <div className={styles.limit}>
          <NumberField
            label={loadWords.pace}
            help={loadWords.paceHelp}
            unit="s"
            isReadOnly={isStale}
            value={paceSeconds}
            min={0}
            error={
              typeof paceSeconds === 'number' || paceSeconds === '' ? messageAt(issues, LOAD_FIELDS.paceSeconds) : loadWords.numberMissing
            }
            onChange={(next) => edit({ paceSeconds: next })}
          />
        </div>
      ) : null}
      {model === 'arrivals' ? (
        <>
          <div className={styles.choice}>
            <Select
              label={loadWords.spacing.title}
              help={loadWords.spacing.explanation}
              isDisabled={isStale}
              value={load.spacing}
              choices={SPACING_CHOICES}
              onChange={(spacing) => edit({ spacing })}
            />
          </div>
          <Disclosure
            title={loadWords.advanced}
            {...(typeof maxInFlight === 'number' ? { summary: loadWords.advancedSummary(formatCount(maxInFlight)) } : {})}
          >
            <div className={styles.limit}>
              <NumberField
                label={loadWords.maxInFlight}
                help={loadWords.maxInFlightHelp}
                isReadOnly={isStale}
                value={maxInFlight}
                min={1}
                error={typeof maxInFlight === 'number' ? messageAt(issues, LOAD_FIELDS.maxInFlight) : loadWords.numberMissing}
                onChange={(next) => edit({ maxInFlight: next })}
              />
            </div>
          </Disclosure>
        </>
      ) : null}
    </div>
  );
}

const THINK_CHOICES = THINK_KINDS.map((value) => ({ value, label: loadWords.thinkTime.kinds[value] }));

interface ThinkTimeProps {
  readonly label: string;
  /** Label of the choice that means no pause. */
  readonly none: string | null;
  readonly thinkTime: ThinkTimeEntry;
  readonly issues: readonly Issue[];
  readonly isStale: boolean;
  readonly onChange: (thinkTime: ThinkTimeEntry) => void;
}

function ThinkTime({ label, none, thinkTime, issues, isStale, onChange }: ThinkTimeProps) {
  const { kind, numbers } = thinkTime;
  const names = THINK_NUMBERS_OF[kind];
  const path = LOAD_FIELDS.thinkTime;
  const message = messageBeside(issues, path, names);
  const help = kind === 'none' ? none : kind === 'exponential' ? loadWords.thinkTime.explanation : null;
  return (
    <Stack gap={4}>
      <div className={styles.thinkFields}>
        <div className={styles.choice}>
          <Select
            label={label}
            isDisabled={isStale}
            value={kind}
            choices={THINK_CHOICES}
            onChange={(next) => onChange({ kind: next, numbers })}
          />
        </div>
        {names.map((name) => {
          const value = numbers[name];
          return (
            <div key={name} className={styles.number}>
              <NumberField
                label={loadWords.thinkTime.numbers[name]}
                unit="s"
                isReadOnly={isStale}
                value={value}
                min={0}
                error={typeof value === 'number' ? messageAt(issues, `${path}.${name}`) : loadWords.numberMissing}
                onChange={(next) => onChange({ kind, numbers: { ...numbers, [name]: next } })}
              />
            </div>
          );
        })}
      </div>
      <p className="muted">
        <Term name="thinkTime">{loadWords.thinkTime.term}</Term>
        {help ? <> · {help}</> : null}
      </p>
      {message ? (
        <p className={styles.message} aria-live="polite">
          {message}
        </p>
      ) : null}
    </Stack>
  );
}
