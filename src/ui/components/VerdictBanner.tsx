import { Activity, CircleCheck, CircleMinus, CircleX, Gauge } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Verdict } from '#core/result/schema.ts';
import { words } from '../words/words.ts';
import { classes } from './classes.ts';
import tones from './Tone.module.css';
import styles from './VerdictBanner.module.css';

const icons: Readonly<Record<Verdict['outcome'] | 'running', ReactNode>> = {
  holds: <CircleCheck />,
  breaks: <CircleX />,
  inconclusive: <CircleMinus />,
  measured: <Gauge />,
  running: <Activity />,
};

interface VerdictBannerProps {
  readonly outcome: Verdict['outcome'] | 'running';
  /** Start of the sentence, in bold. */
  readonly title: string;
  readonly rest: string;
  /** Smaller text below the sentence. */
  readonly children?: ReactNode;
}

/** The verdict in large type, with its colour and icon. */
export function VerdictBanner({ outcome, title, rest, children }: VerdictBannerProps) {
  return (
    <section className={classes(styles.verdict, tones[outcome === 'running' ? 'info' : outcome])} aria-label={words.marks[outcome]}>
      <span className={styles.icon} aria-hidden="true">
        {icons[outcome]}
      </span>
      <div>
        <p className={styles.sentence} aria-live={outcome === 'running' ? 'polite' : undefined}>
          <strong>{title}</strong>
          {rest}
        </p>
        {children === undefined || children === null ? null : <div className={styles.below}>{children}</div>}
      </div>
    </section>
  );
}
