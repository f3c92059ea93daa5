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

/**
 * A verb. A pending button keeps its place, its words and the focus, and takes no second press; what is waited for is said beside
 * it. (react-aria's own `isPending` announces through an element that names nothing once the button has gone.)
 */
export function Button({ look = 'secondary', size = 'normal', icon, children, isPending = false, onPress, ...rest }: ButtonProps) {
  const iconOnly = children === undefined || children === null;
  return (
    <AriaButton
      {...rest}
      data-pending={isPending || undefined}
      {...(onPress && !isPending ? { onPress } : {})}
      className={classes(styles.button, styles[look], styles[size], iconOnly && styles.iconOnly)}
    >
      {icon ? (
        <span className={styles.icon} aria-hidden="true">
          {icon}
        </span>
      ) : null}
      {children}
    </AriaButton>
  );
}
