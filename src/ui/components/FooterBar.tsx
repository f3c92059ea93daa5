import type { ReactNode } from 'react';
import styles from './FooterBar.module.css';

interface FooterBarProps {
  /** What went wrong, or has to be known before an action; above the buttons. */
  readonly notices?: ReactNode;
  /** The last one, which matters most, stands apart from the others. */
  readonly children: ReactNode;
}

/** What can be done with what is on the page; stays at the foot of the window. */
export function FooterBar({ notices, children }: FooterBarProps) {
  return (
    <div className={styles.bar}>
      {notices}
      <div className={styles.buttons}>{children}</div>
    </div>
  );
}
