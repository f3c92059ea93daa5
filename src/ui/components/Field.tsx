import { CircleX } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextArea } from 'react-aria-components/TextArea';
import { TextField as AriaTextField } from 'react-aria-components/TextField';
import { classes } from './classes.ts';
import { type NumberEntry, parseNumber, showNumber, textFor } from './numbers.ts';
import styles from './Field.module.css';

/** Error message under a field. Screen readers announce it when it appears. */
export function FieldMessage({ id, error }: { readonly id: string; readonly error: string | null }) {
  return (
    <div id={id} aria-live="polite" className={styles.message}>
      {error ? (
        <p className={styles.error}>
          <CircleX size={14} aria-hidden="true" />
          <span>{error}</span>
        </p>
      ) : null}
    </div>
  );
}

export interface TextFieldProps {
  readonly label: string;
  /** Hides the label visually, where the heading of a table column shows it. */
  readonly hideLabel?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onBlur?: () => void;
  readonly onEnter?: () => void;
  readonly help?: ReactNode;
  /** Error message, or null. */
  readonly error?: string | null;
  readonly placeholder?: string;
  readonly type?: 'text' | 'url' | 'password' | 'search';
  readonly rows?: number;
  readonly code?: boolean;
  readonly isDisabled?: boolean;
  readonly isReadOnly?: boolean;
  readonly maxLength?: number;
  /** Shown at the end of the field. */
  readonly unit?: string;
}

export function TextField(props: TextFieldProps) {
  const { label, hideLabel, value, onChange, onBlur, onEnter, help, error, placeholder, type = 'text', rows, code, unit } = props;
  const errorId = useId();
  const invalid = Boolean(error);
  return (
    <AriaTextField
      className={classes(styles.field, invalid && styles.invalid)}
      value={value}
      onChange={onChange}
      isInvalid={invalid}
      validationBehavior="aria"
      isDisabled={props.isDisabled ?? false}
      isReadOnly={props.isReadOnly ?? false}
      type={type}
      autoComplete="off"
      {...(onBlur ? { onBlur } : {})}
      {...(props.maxLength === undefined ? {} : { maxLength: props.maxLength })}
      {...(error ? { 'aria-describedby': errorId } : {})}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.shiftKey && onEnter) {
          event.preventDefault();
          onEnter();
        } else event.continuePropagation();
      }}
    >
      <Label className={classes(styles.label, hideLabel && 'only-read-out')}>{label}</Label>
      {rows ? (
        <TextArea className={classes(styles.area, code && styles.code)} rows={rows} placeholder={placeholder ?? ''} />
      ) : (
        <div className={styles.box}>
          <Input className={classes(styles.input, code && styles.code)} placeholder={placeholder ?? ''} spellCheck={false} />
          {unit ? <span className={styles.unit}>{unit}</span> : null}
        </div>
      )}
      {help ? (
        <Text slot="description" className={classes(styles.help)}>
          {help}
        </Text>
      ) : null}
      <FieldMessage id={errorId} error={error ?? null} />
    </AriaTextField>
  );
}

export interface NumberFieldProps {
  readonly label: string;
  readonly hideLabel?: boolean;
  /** The number, or the entered text as long as it is not a number. */
  readonly value: NumberEntry;
  readonly onChange: (value: NumberEntry) => void;
  readonly unit?: string;
  readonly help?: ReactNode;
  readonly error?: string | null;
  /** Increment of the arrow keys. */
  readonly step?: number;
  readonly min?: number;
  readonly max?: number;
  readonly isDisabled?: boolean;
  readonly isReadOnly?: boolean;
}

/** Number field in the locale's format. Reports each keystroke; arrow keys change the value by `step`. */
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
      <div className={classes(styles.box, styles.figure)}>
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
