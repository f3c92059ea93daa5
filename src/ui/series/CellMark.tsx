import { Activity, Ban, CircleMinus, Clock, FileQuestionMark, Gauge, OctagonX } from 'lucide-react';
import type { ReactNode } from 'react';
import type { CellRun, CellState } from '#core/series/result.ts';
import { classes } from '../components/classes.ts';
import { words } from '../words/words.ts';
import styles from './SeriesPage.module.css';

const icons: Readonly<Record<CellState, ReactNode>> = {
  waiting: <Clock size={16} />,
  running: <Activity size={16} />,
  value: <Gauge size={16} />,
  refused: <Ban size={16} />,
  aborted: <OctagonX size={16} />,
  unread: <FileQuestionMark size={16} />,
  notRun: <CircleMinus size={16} />,
};

/** The state of a cell as icon and word, with what it is at while it runs. */
export function CellMark({ state, phase }: { readonly state: CellState; readonly phase: CellRun['phase'] }) {
  return (
    <span className={classes(styles.mark, styles[state])}>
      <span aria-hidden="true">{icons[state]}</span>
      <span>
        {words.series.cellStates[state]}
        {phase === null ? null : <span className={styles.about}>{words.series.phases[phase]}</span>}
      </span>
    </span>
  );
}
