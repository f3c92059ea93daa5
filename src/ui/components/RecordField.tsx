import { Checkbox } from './Checkbox.tsx';
import { type Choice, ChoiceText, RadioCards, Select } from './Choices.tsx';
import { NumberField, TextField } from './Field.tsx';
import { Stack } from './Page.tsx';

/** Description of a form field, without its value. A form is a list of such records. */
export type FieldRecord = { readonly label: string; readonly help?: string } & (
  | { readonly kind: 'number'; readonly unit?: string; readonly min?: number; readonly max?: number }
  | { readonly kind: 'text' }
  | { readonly kind: 'switch' }
  /** `row` shows small cards next to each other. */
  | { readonly kind: 'select' | 'row'; readonly choices: readonly Choice<string>[] }
  | { readonly kind: 'cards'; readonly choices: readonly (Choice<string> & { readonly story: string })[] }
);

type Value = string | number | boolean;

interface RecordFieldProps {
  readonly field: FieldRecord;
  readonly value: Value;
  readonly error?: string | null;
  readonly onChange: (value: Value) => void;
}

/** Shows the field that a record describes. */
export function RecordField({ field, value, error = null, onChange }: RecordFieldProps) {
  const { label, help = '' } = field;
  const entered = { label, help, value: String(value), onChange };
  switch (field.kind) {
    case 'number': {
      const { unit = '', min = -Infinity, max = Infinity } = field;
      const number = typeof value === 'number' ? value : String(value);
      return <NumberField {...entered} value={number} unit={unit} min={min} max={max} error={error} />;
    }
    case 'text':
      return <TextField {...entered} error={error} />;
    case 'switch':
      return (
        <Stack gap={4}>
          <Checkbox isSelected={value === true} onChange={onChange}>
            {label}
          </Checkbox>
          {help ? <p className="muted">{help}</p> : null}
        </Stack>
      );
    case 'select':
      return <Select {...entered} choices={field.choices} />;
    case 'row':
      return <RadioCards {...entered} layout="row" cards={field.choices.map((one) => ({ ...one, name: one.label, content: one.label }))} />;
    case 'cards':
      return (
        <RadioCards
          {...entered}
          cards={field.choices.map((one) => ({ ...one, name: one.label, content: <ChoiceText title={one.label} story={one.story} /> }))}
        />
      );
    default:
      return field satisfies never;
  }
}
