import { RadioCards } from '#ui/components/RadioCards.tsx';
import { words } from '#ui/words/words.ts';
import { LOAD_MODELS, type LoadModel } from '../state/loadEntry.ts';
import styles from './ModelChoice.module.css';

interface ModelChoiceProps {
  readonly model: LoadModel;
  readonly isDisabled: boolean;
  readonly onChange: (model: LoadModel) => void;
}

/** The load models in plain words, each with the question that it answers. */
export function ModelChoice({ model, isDisabled, onChange }: ModelChoiceProps) {
  const { how, models, switched } = words.load;
  return (
    <RadioCards
      label={how}
      hideLabel
      value={model}
      help={switched}
      layout="three"
      isDisabled={isDisabled}
      onChange={(value) => {
        const chosen = LOAD_MODELS.find((one) => one === value);
        if (chosen) onChange(chosen);
      }}
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
