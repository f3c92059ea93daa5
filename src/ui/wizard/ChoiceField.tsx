import type { Plan } from '#core/plan/schema/plan.ts';
import { Checkbox } from '#ui/components/Checkbox.tsx';
import { ChoiceText, RadioCards, Select } from '#ui/components/Choices.tsx';
import { NumberField } from '#ui/components/Field.tsx';
import { words } from '#ui/words/words.ts';
import { type ChoiceName, choiceOf, CHOICES, choicesSchema, isValidChoice } from './state/choices.ts';
import { useWizard } from './WizardProvider.tsx';
import styles from './ChoiceField.module.css';

interface ChoiceFieldProps {
  readonly name: ChoiceName;
  /** Plan of the source, for the value without a choice. */
  readonly plan: Plan | null;
  readonly help?: string;
}

/** The field of a choice, as {@link CHOICES} describes it. */
export function ChoiceField({ name, plan, help = '' }: ChoiceFieldProps) {
  const { state, dispatch } = useWizard();
  const { field } = CHOICES[name];
  const value = choiceOf(name, state.choices, plan);
  const choose = (chosen: unknown): void => dispatch({ type: 'chosen', change: choicesSchema.parse({ [name]: chosen }) });
  switch (field?.kind) {
    case 'select':
      return (
        <div className={styles.field}>
          <Select label={field.label} help={field.help} value={String(value)} choices={field.options} onChange={choose} />
        </div>
      );
    case 'cards':
      return (
        <RadioCards
          label={field.label}
          help={help}
          value={String(value)}
          cards={field.options.map((option) => ({
            value: option.value,
            name: option.name,
            content: <ChoiceText title={option.name} story={option.story} />,
          }))}
          onChange={choose}
        />
      );
    case 'percent':
      return (
        <div className={styles.field}>
          <NumberField
            label={field.label}
            help={field.help}
            unit="%"
            min={0}
            max={100}
            value={typeof value === 'number' ? value : String(value)}
            error={isValidChoice(name, state.choices) ? null : words.wizard.load.numberRange('0', '100')}
            onChange={choose}
          />
        </div>
      );
    case 'checkbox':
      return (
        <Checkbox isSelected={value === true} onChange={choose}>
          {field.label}
        </Checkbox>
      );
    case undefined:
      throw new Error(`The choice ${name} has no field`);
    default:
      return field satisfies never;
  }
}
