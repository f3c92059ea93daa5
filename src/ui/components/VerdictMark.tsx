import { Activity, Ban, CircleCheck, CircleMinus, CircleX, Clock, FileQuestionMark, Gauge, OctagonX, Unplug } from 'lucide-react';
import type { ReactNode } from 'react';
import type { RunRow } from '#contract/replies.ts';
import type { Mark as CellMark } from '#core/presentation/document/model.ts';
import type { RunState } from '#core/result/schema.ts';
import { words } from '../words/words.ts';
import { classes } from './classes.ts';
import styles from './VerdictMark.module.css';

export type Outcome = NonNullable<RunRow['outcome']>;
/** An outcome, or the state of a run without one. */
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

/** Shows a state as colour, icon and word, so that colour is not the only sign. */
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
 * Returns the mark of a run: passed or failed if its outcome says so, else the reason if it ended early, else its outcome.
 * “Measured” alone would hide that a run ended early.
 */
export function markOf(state: RunState, outcome: Outcome | null): Mark {
  if (state === 'preparing' || state === 'running' || state === 'draining') return 'running';
  if (outcome === 'holds' || outcome === 'breaks') return outcome;
  return state === 'finished' ? (outcome ?? 'measured') : state;
}

/** The mark of a run with its standard label. */
export function VerdictMark({ mark }: { readonly mark: Mark }) {
  return <StateMark mark={mark}>{words.marks[mark]}</StateMark>;
}
