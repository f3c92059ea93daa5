import type { ReactNode } from 'react';
import styles from './ChoiceText.module.css';

interface ChoiceTextProps {
  readonly title: string;
  readonly story: string;
  /** Further details. */
  readonly children?: ReactNode;
}

/** Content of a card of {@link RadioCards}: a title and its purpose in one or two sentences. */
export function ChoiceText({ title, story, children }: ChoiceTextProps) {
  return (
    <span className={styles.text}>
      <span className={styles.title}>{title}</span>
      <span className={styles.story}>{story}</span>
      {children}
    </span>
  );
}
