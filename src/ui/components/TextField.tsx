import { useId, type HTMLInputAutoCompleteAttribute, type ReactNode } from 'react';
import { Input } from 'react-aria-components/Input';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import { TextArea } from 'react-aria-components/TextArea';
import { TextField as AriaTextField } from 'react-aria-components/TextField';
import { classes } from './classes.ts';
import styles from './Field.module.css';
import { FieldMessage } from './FieldMessage.tsx';

export interface TextFieldProps {
  readonly label: string;
  /** The label is read out but not shown, where a table's heading says it. */
  readonly hideLabel?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onBlur?: () => void;
  readonly onEnter?: () => void;
  readonly help?: ReactNode;
  /** What is wrong with the value; null when nothing is. */
  readonly error?: string | null;
  readonly placeholder?: string;
  readonly type?: 'text' | 'url' | 'password' | 'search';
  readonly rows?: number;
  readonly code?: boolean;
  readonly autoComplete?: HTMLInputAutoCompleteAttribute;
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
      autoComplete={props.autoComplete ?? 'off'}
      {...(onBlur ? { onBlur } : {})}
      {...(props.maxLength === undefined ? {} : { maxLength: props.maxLength })}
      {...(error ? { 'aria-describedby': errorId } : {})}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && onEnter) {
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
