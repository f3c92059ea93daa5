import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './Facts.module.css';

/** A name with its content; null is not shown. */
export type Fact = readonly [name: string, content: ReactNode] | null;

interface FactsProps {
  readonly facts: readonly Fact[];
  /** Whether the column of names is as wide as the longest name, for names of several words. */
  readonly hasLongNames?: boolean;
}

/** Names with their contents, in two columns. On a narrow screen, each content is below its name. */
export function Facts({ facts, hasLongNames = false }: FactsProps) {
  return (
    <dl className={classes(styles.facts, hasLongNames && styles.long)}>
      {facts.map((fact) =>
        fact === null ? null : (
          <div key={fact[0]} className={styles.fact}>
            <dt>{fact[0]}</dt>
            <dd>{fact[1]}</dd>
          </div>
        ),
      )}
    </dl>
  );
}
