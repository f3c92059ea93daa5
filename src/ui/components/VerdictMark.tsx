import { Activity, Ban, CircleCheck, CircleMinus, CircleX, Clock, FileQuestionMark, Gauge, OctagonX, Unplug } from 'lucide-react';
import type { ReactNode } from 'react';
import type { RunRow } from '#contract/replies.ts';
import type { Mark as CellMark } from '#core/presentation/document/model.ts';
import type { RunState } from '#core/result/schema.ts';
import { words } from '../words/words.ts';
import { classes } from './classes.ts';
import styles from './VerdictMark.module.css';

export type Outcome = NonNullable<RunRow['outcome']>;
/** What a mark can say: an outcome, or a state of a run that has none. */
type Mark = Outcome | 'running' | 'stopped' | 'failed' | 'interrupted';

const icons: Readonly<Record<Mark | CellMark, ReactNode>> = {
  holds: <CircleCheck />,
  breaks: <CircleX />,
  inconclusive: <CircleMinus />,
  measured: <Gauge />,
  running: <Activity />,
  stopped: <OctagonX />,
  failed: <CircleX />,
  interrupted: <Unplug />,
  withinNoise: <CircleMinus />,
  waiting: <Clock />,
  value: <Gauge />,
  refused: <Ban />,
  aborted: <OctagonX />,
  unread: <FileQuestionMark />,
  notRun: <CircleMinus />,
  held: <CircleCheck />,
  broke: <OctagonX />,
  unclear: <CircleMinus />,
};

/** Colour, icon and word together: colour alone never says anything. */
export function StateMark({ mark, children }: { readonly mark: Mark | CellMark; readonly children: ReactNode }) {
  return (
    <span className={classes(styles.mark, styles[mark])}>
      <span className={styles.icon} aria-hidden="true">
        {icons[mark]}
      </span>
      <span>{children}</span>
    </span>
  );
}

/**
 * The mark of a run: what was proven, else how it ended when that was before its end, else its outcome. “Measured” alone would let
 * a run that was cut off pass for a whole one.
 */
export function markOf(state: RunState, outcome: Outcome | null): Mark {
  if (state === 'preparing' || state === 'running' || state === 'draining') return 'running';
  if (outcome === 'holds' || outcome === 'breaks') return outcome;
  return state === 'finished' ? (outcome ?? 'measured') : state;
}

/** The mark of a run in the words of all runs. */
export function VerdictMark({ mark }: { readonly mark: Mark }) {
  return <StateMark mark={mark}>{words.marks[mark]}</StateMark>;
}
