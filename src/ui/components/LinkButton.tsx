import type { ReactNode } from 'react';
import styles from './Button.module.css';
import { classes } from './classes.ts';

interface LinkButtonProps {
  /** Route within the app, such as `/history`. */
  readonly to: string;
  readonly look?: 'primary' | 'secondary' | 'quiet';
  readonly icon?: ReactNode;
  readonly children: ReactNode;
}

/** Looks like a button, goes like a link: for what leads to another page. */
export function LinkButton({ to, look = 'secondary', icon, children }: LinkButtonProps) {
  return (
    <a className={classes(styles.button, styles[look], styles.normal)} href={`#${to}`}>
      {icon ? (
        <span className={styles.icon} aria-hidden="true">
          {icon}
        </span>
      ) : null}
      {children}
    </a>
  );
}
