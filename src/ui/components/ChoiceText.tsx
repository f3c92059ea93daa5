import type { ReactNode } from 'react';
import styles from './ChoiceText.module.css';

interface ChoiceTextProps {
  readonly title: string;
  readonly story: string;
  /** What else is to be known before choosing. */
  readonly children?: ReactNode;
}

/** What stands on a card of {@link RadioCards}: what it is, and in a sentence or two what it is for. */
export function ChoiceText({ title, story, children }: ChoiceTextProps) {
  return (
    <span className={styles.text}>
      <span className={styles.title}>{title}</span>
      <span className={styles.story}>{story}</span>
      {children}
    </span>
  );
}
