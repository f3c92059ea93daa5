import { formatNumber } from '#core/base/units.ts';
import type { Plan } from '#core/plan/schema/plan.ts';
import { RecordField } from '#ui/components/RecordField.tsx';
import { words } from '#ui/words/words.ts';
import { type ChoiceName, getChoice, CHOICES, choicesSchema, isValidChoice } from './state/choices.ts';
import { useWizard } from './WizardProvider.tsx';

interface ChoiceFieldProps {
  readonly name: ChoiceName;
  /** Plan of the source. It has the value that applies while nothing is chosen. */
  readonly plan: Plan | null;
  readonly help?: string;
}

/** Shows the field for a choice, as {@link CHOICES} describes it. */
export function ChoiceField({ name, plan, help }: ChoiceFieldProps) {
  const { state, dispatch } = useWizard();
  const { field } = CHOICES[name];
  if (!field) throw new Error(`The choice ${name} has no field`);
  const value = getChoice(name, state.choices, plan);
  const { min = 0, max = 100 } = field.kind === 'number' ? field : {};
  return (
    <RecordField
      field={help === undefined ? field : { ...field, help }}
      value={typeof value === 'object' ? '' : value}
      error={isValidChoice(name, state.choices) ? null : words.wizard.load.numberRange(formatNumber(min), formatNumber(max))}
      onChange={(chosen) => dispatch({ type: 'chosen', change: choicesSchema.parse({ [name]: chosen }) })}
    />
  );
}
