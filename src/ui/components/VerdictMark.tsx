import { Activity, CircleCheck, CircleMinus, CircleX, Gauge, OctagonX, Unplug } from 'lucide-react';
import type { ReactNode } from 'react';
import type { RunRow } from '#contract/replies.ts';
import type { RunState } from '#core/result/schema.ts';
import { words } from '../words/words.ts';
import { classes } from './classes.ts';
import styles from './VerdictMark.module.css';

export type Outcome = NonNullable<RunRow['outcome']>;
/** What a mark can say: an outcome, or a state of a run that has none. */
export type Mark = Outcome | 'running' | 'stopped' | 'failed' | 'interrupted';

const icons: Record<Mark, ReactNode> = {
  holds: <CircleCheck />,
  breaks: <CircleX />,
  inconclusive: <CircleMinus />,
  measured: <Gauge />,
  running: <Activity />,
  stopped: <OctagonX />,
  failed: <CircleX />,
  interrupted: <Unplug />,
};

/**
 * The mark of a run: what was proven, else how it ended when that was before its end, else its outcome. “Measured” alone would let
 * a run that was cut off pass for a whole one.
 */
export function markOf(state: RunState, outcome: Outcome | null): Mark {
  if (state === 'preparing' || state === 'running' || state === 'draining') return 'running';
  if (outcome === 'holds' || outcome === 'breaks') return outcome;
  return state === 'finished' ? (outcome ?? 'measured') : state;
}

/** Colour, icon and word together: colour alone never says anything. */
export function VerdictMark({
  mark,
  size = 'normal',
  hideWord = false,
  word = words.marks[mark],
}: {
  readonly mark: Mark;
  readonly size?: 'normal' | 'large';
  readonly hideWord?: boolean;
  /** Where the mark has a name of its own. */
  readonly word?: string | undefined;
}) {
  return (
    <span className={classes(styles.mark, styles[mark], styles[size])} title={hideWord ? word : undefined}>
      <span className={styles.icon} aria-hidden="true">
        {icons[mark]}
      </span>
      <span className={hideWord ? 'only-read-out' : undefined}>{word}</span>
    </span>
  );
}
