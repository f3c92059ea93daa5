import { useId, useState, type ReactNode } from 'react';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextField as AriaTextField } from 'react-aria-components/TextField';
import { classes } from './classes.ts';
import styles from './Field.module.css';
import { FieldMessage } from './FieldMessage.tsx';
import { parseNumber, showNumber, textFor, type NumberEntry } from './numbers.ts';

export interface NumberFieldProps {
  readonly label: string;
  readonly hideLabel?: boolean;
  /** A number, or what was typed while it is none: nothing typed is ever lost. */
  readonly value: NumberEntry;
  readonly onChange: (value: NumberEntry) => void;
  readonly unit?: string;
  readonly help?: ReactNode;
  readonly error?: string | null;
  /** How far the arrow keys go. */
  readonly step?: number;
  readonly min?: number;
  readonly max?: number;
  readonly isDisabled?: boolean;
  readonly isReadOnly?: boolean;
}

/** A number in the locale's writing that tells of each keystroke; arrow keys step it. */
export function NumberField({
  label,
  hideLabel,
  value,
  onChange,
  unit,
  help,
  error,
  step = 1,
  min,
  max,
  isDisabled,
  isReadOnly = false,
}: NumberFieldProps) {
  const errorId = useId();
  const [shown, setShown] = useState(() => ({ value, text: showNumber(value) }));
  const text = textFor(value, shown);
  if (shown.value !== value) setShown({ value, text });

  const type = (next: string): void => {
    const entry = parseNumber(next) ?? next;
    setShown({ value: entry, text: next });
    onChange(entry);
  };
  const stepBy = (direction: 1 | -1): void => {
    if (typeof value !== 'number' || isReadOnly) return;
    const next = Math.min(max ?? Infinity, Math.max(min ?? -Infinity, value + direction * step));
    onChange(Number(next.toPrecision(12)));
  };
  return (
    <AriaTextField
      className={classes(styles.field, error && styles.invalid)}
      value={text}
      onChange={type}
      onBlur={() => setShown({ value, text: showNumber(value) })}
      inputMode="decimal"
      autoComplete="off"
      isInvalid={Boolean(error)}
      validationBehavior="aria"
      isDisabled={isDisabled ?? false}
      isReadOnly={isReadOnly}
      {...(error ? { 'aria-describedby': errorId } : {})}
      onKeyDown={(event) => {
        if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
          event.preventDefault();
          stepBy(event.key === 'ArrowUp' ? 1 : -1);
        } else event.continuePropagation();
      }}
    >
      <Label className={classes(styles.label, hideLabel && 'only-read-out')}>{label}</Label>
      <div className={styles.box}>
        <Input className={classes(styles.input, styles.number)} />
        {unit ? <span className={styles.unit}>{unit}</span> : null}
      </div>
      {help ? (
        <Text slot="description" className={classes(styles.help)}>
          {help}
        </Text>
      ) : null}
      <FieldMessage id={errorId} error={error ?? null} />
    </AriaTextField>
  );
}
