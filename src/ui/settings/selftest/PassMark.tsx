import { CircleCheck, CircleX } from 'lucide-react';
import { classes } from '#ui/components/classes.ts';
import styles from './SelfTestCard.module.css';

/** Icon, colour and a word: never the colour alone. */
export function PassMark({ passed, word }: { readonly passed: boolean; readonly word: string }) {
  return (
    <span className={classes(styles.mark, passed ? styles.passed : styles.failed)}>
      <span className={styles.icon} aria-hidden="true">
        {passed ? <CircleCheck size={18} /> : <CircleX size={18} />}
      </span>
      {word}
    </span>
  );
}
