import type { Issue } from '#core/plan/issues.ts';
import { Banner } from '#ui/components/Banner.tsx';
import { Button } from '#ui/components/Button.tsx';
import { Disclosure } from '#ui/components/Disclosure.tsx';
import { Stack } from '#ui/components/Page.tsx';
import { words } from '#ui/words/words.ts';
import { RadioCards } from '#ui/components/Choices.tsx';
import { LOAD_MODELS, type LoadEntry, type LoadModel } from '../state/loadEntry.ts';
import { withModel } from '../state/switchLoad.ts';
import { useWizard } from '../WizardProvider.tsx';
import { LoadOptions } from './LoadOptions.tsx';
import { StageRows } from './StageRows.tsx';
import styles from './ModelChoice.module.css';

interface ModelChoiceProps {
  readonly model: LoadModel;
  readonly isDisabled: boolean;
  readonly onChange: (model: LoadModel) => void;
}

/** Choice of the load model, each with the question that it answers. */
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
            <>
              <span className={styles.name}>
                {name} <span className={styles.term}>{term}</span>
              </span>
              <span className={styles.story}>{story}</span>
              <span className={styles.goodFor}>{goodFor}</span>
            </>
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

/** Load model, stages and common settings. Folded for a preset, which calculates them. */
export function LoadPart({ load, isEdited, isFromPreset, isStale, steps, hasProblem, issues }: LoadPartProps) {
  const { dispatch } = useWizard();
  const say = words.load;
  return (
    <Disclosure
      level={2}
      title={say.stages.title}
      summary={say.stages.summary(load.stages.length, say.models[load.model].name)}
      isOpenAtFirst={isEdited || !isFromPreset}
      isHeldOpen={hasProblem}
    >
      <Stack gap={16}>
        {isEdited && isFromPreset ? (
          <Banner
            tone="accent"
            actions={<Button onPress={() => dispatch({ type: 'loadEdited', load: null })}>{say.stages.editedReset}</Button>}
          >
            {say.stages.edited}
          </Banner>
        ) : null}
        <Disclosure title={say.how} summary={say.models[load.model].name}>
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
