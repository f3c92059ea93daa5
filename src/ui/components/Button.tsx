import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import styles from './Button.module.css';
import { classes } from './classes.ts';

export interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'children' | 'style'> {
  /** `primary`: the one act of the page. `danger`: stops or deletes. `quiet`: no border until pointed at. */
  readonly look?: 'primary' | 'secondary' | 'danger' | 'quiet';
  readonly size?: 'normal' | 'small' | 'large';
  readonly icon?: ReactNode;
  readonly children?: ReactNode;
}

/** A verb. Pending buttons keep their width, stay focusable and are announced as busy by react-aria. */
export function Button({ look = 'secondary', size = 'normal', icon, children, ...rest }: ButtonProps) {
  const iconOnly = children === undefined || children === null;
  return (
    <AriaButton {...rest} className={classes(styles.button, styles[look], styles[size], iconOnly && styles.iconOnly)}>
      {icon ? (
        <span className={styles.icon} aria-hidden="true">
          {icon}
        </span>
      ) : null}
      {children}
    </AriaButton>
  );
}
