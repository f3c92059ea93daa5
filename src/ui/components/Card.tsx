import { useId, type ReactNode } from 'react';
import styles from './Card.module.css';
import { classes } from './classes.ts';

interface CardProps {
  readonly title?: ReactNode;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
  readonly level?: 2 | 3;
  /** Removes the padding around the children, for tables and charts that have their own. */
  readonly flush?: boolean;
}

/** A bordered section of a page; with a title it is a named region. */
export function Card({ title, actions, children, level = 2, flush = false }: CardProps) {
  const titleId = useId();
  const Heading = level === 2 ? 'h2' : 'h3';
  return (
    <section className={styles.card} aria-labelledby={title ? titleId : undefined}>
      {title ? (
        <header className={styles.header}>
          <Heading id={titleId} className={styles.title}>
            {title}
          </Heading>
          {actions ? <div className={styles.actions}>{actions}</div> : null}
        </header>
      ) : null}
      <div className={classes(styles.body, flush && styles.flush)}>{children}</div>
    </section>
  );
}
