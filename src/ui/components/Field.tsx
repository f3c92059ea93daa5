import { CircleX } from 'lucide-react';
import { type ReactNode, useId, useState } from 'react';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextArea } from 'react-aria-components/TextArea';
import { TextField as AriaTextField, type TextFieldProps as AriaTextFieldProps } from 'react-aria-components/TextField';
import { classes } from './classes.ts';
import { type NumberEntry, parseNumber, showNumber, textFor } from './numbers.ts';
import styles from './Field.module.css';

/** Error message under a field. Screen readers announce the message when it appears. */
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

interface FieldProps {
  readonly label: string;
  /** Whether the label is hidden visually, because the heading of a table column shows it. */
  readonly hideLabel?: boolean;
  readonly help?: ReactNode;
  /** Error message, or null. */
  readonly error?: string | null;
  readonly isDisabled?: boolean;
  readonly isReadOnly?: boolean;
  /** Unit that is shown at the end of the field. */
  readonly unit?: string;
}

interface FrameProps extends FieldProps, Omit<AriaTextFieldProps, 'className' | 'children' | 'style' | 'isDisabled' | 'isReadOnly'> {
  readonly children: ReactNode;
}

/** Shows the label, input, help and message of a field. */
function Frame({
  label,
  hideLabel,
  help,
  error = null,
  isDisabled = false,
  isReadOnly = false,
  unit: _unit,
  children,
  ...rest
}: FrameProps) {
  const errorId = useId();
  return (
    <AriaTextField
      {...rest}
      className={classes(styles.field, error && styles.invalid)}
      isInvalid={Boolean(error)}
      validationBehavior="aria"
      isDisabled={isDisabled}
      isReadOnly={isReadOnly}
      autoComplete="off"
      {...(error ? { 'aria-describedby': errorId } : {})}
    >
      <Label className={classes(styles.label, hideLabel && 'only-read-out')}>{label}</Label>
      {children}
      {help ? (
        <Text slot="description" className={classes(styles.help)}>
          {help}
        </Text>
      ) : null}
      <FieldMessage id={errorId} error={error} />
    </AriaTextField>
  );
}

interface TextFieldProps extends FieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onBlur?: () => void;
  readonly onEnter?: () => void;
  readonly placeholder?: string;
  readonly type?: 'text' | 'url' | 'password' | 'search';
  readonly rows?: number;
  readonly code?: boolean;
  readonly maxLength?: number;
  /** Whether the field takes the focus when it appears. */
  readonly hasFocus?: boolean;
}

export function TextField({ onEnter, placeholder = '', type = 'text', rows, code, hasFocus = false, ...frame }: TextFieldProps) {
  return (
    <Frame
      {...frame}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- [only the field that a person came for asks for it]
      autoFocus={hasFocus}
      type={type}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.shiftKey && onEnter) {
          event.preventDefault();
          onEnter();
        } else event.continuePropagation();
      }}
    >
      {rows ? (
        <TextArea className={classes(styles.area, code && styles.code)} rows={rows} placeholder={placeholder} />
      ) : (
        <div className={styles.box}>
          <Input className={classes(styles.input, code && styles.code)} placeholder={placeholder} spellCheck={false} />
          {frame.unit ? <span className={styles.unit}>{frame.unit}</span> : null}
        </div>
      )}
    </Frame>
  );
}

interface NumberFieldProps extends FieldProps {
  /** The number, or the entered text as long as it is not a number. */
  readonly value: NumberEntry;
  readonly onChange: (value: NumberEntry) => void;
  /** Step by which the arrow keys change the number. */
  readonly step?: number;
  readonly min?: number;
  readonly max?: number;
}

/** Number field in the locale's format. It reports each keystroke, and arrow keys change the value by `step`. */
export function NumberField({ value, onChange, step = 1, min, max, ...frame }: NumberFieldProps) {
  const [shown, setShown] = useState(() => ({ value, text: showNumber(value) }));
  const text = textFor(value, shown);
  if (shown.value !== value) setShown({ value, text });

  const type = (next: string): void => {
    const entry = parseNumber(next) ?? next;
    setShown({ value: entry, text: next });
    onChange(entry);
  };
  const stepBy = (direction: 1 | -1): void => {
    if (typeof value !== 'number' || frame.isReadOnly) return;
    const next = Math.min(max ?? Infinity, Math.max(min ?? -Infinity, value + direction * step));
    onChange(Number(next.toPrecision(12)));
  };
  return (
    <Frame
      {...frame}
      value={text}
      onChange={type}
      onBlur={() => setShown({ value, text: showNumber(value) })}
      inputMode="decimal"
      onKeyDown={(event) => {
        if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
          event.preventDefault();
          stepBy(event.key === 'ArrowUp' ? 1 : -1);
        } else event.continuePropagation();
      }}
    >
      <div className={classes(styles.box, styles.figure)}>
        <Input className={classes(styles.input, styles.number)} />
        {frame.unit ? <span className={styles.unit}>{frame.unit}</span> : null}
      </div>
    </Frame>
  );
}
