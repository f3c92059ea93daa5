import { CircleCheck, CircleHelp, CircleX, Info, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { words } from '../words/words.ts';
import { classes } from './classes.ts';
import styles from './LevelMark.module.css';

export type Level = 'ok' | 'info' | 'warning' | 'problem' | 'unknown';

const icons: Record<Level, ReactNode> = {
  ok: <CircleCheck size={18} />,
  info: <Info size={18} />,
  warning: <TriangleAlert size={18} />,
  problem: <CircleX size={18} />,
  unknown: <CircleHelp size={18} />,
};

/** Severity as colour, icon and word (the word only for screen readers unless `showWord`). */
export function LevelMark({ level, showWord = false }: { readonly level: Level; readonly showWord?: boolean }) {
  return (
    <span className={classes(styles.mark, styles[level])}>
      <span className={styles.icon} aria-hidden="true">
        {icons[level]}
      </span>
      <span className={showWord ? undefined : 'only-read-out'}>{words.levels[level]}</span>
    </span>
  );
}
