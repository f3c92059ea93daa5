import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { Checkbox as AriaCheckbox } from 'react-aria-components/Checkbox';
import styles from './Checkbox.module.css';
import { classes } from './classes.ts';

interface CheckboxProps {
  readonly isSelected: boolean;
  readonly onChange: (selected: boolean) => void;
  readonly children?: ReactNode;
  /** Accessible name instead of children, if the heading of a table column is the visible label. */
  readonly label?: string;
  readonly isDisabled?: boolean;
  readonly isReadOnly?: boolean;
}

export function Checkbox({ isSelected, onChange, children, label, isDisabled, isReadOnly = false }: CheckboxProps) {
  return (
    <AriaCheckbox
      className={classes(styles.checkbox)}
      isSelected={isSelected}
      onChange={onChange}
      isDisabled={isDisabled ?? false}
      isReadOnly={isReadOnly}
      {...(label ? { 'aria-label': label } : {})}
    >
      <span className={styles.box} aria-hidden="true">
        <Check size={14} strokeWidth={3} />
      </span>
      {children ? <span>{children}</span> : null}
    </AriaCheckbox>
  );
}
