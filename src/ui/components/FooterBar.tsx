import type { ReactNode } from 'react';
import styles from './FooterBar.module.css';

interface FooterBarProps {
  /** Errors and warnings above the buttons. */
  readonly notices?: ReactNode;
  /** Buttons; the last one is the main action and is set apart from the others. */
  readonly children: ReactNode;
}

/** Actions of a page, at the bottom of the window. */
export function FooterBar({ notices, children }: FooterBarProps) {
  return (
    <div className={styles.bar}>
      {notices}
      <div className={styles.buttons}>{children}</div>
    </div>
  );
}
