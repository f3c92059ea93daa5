import type { ReactNode } from 'react';
import { Sparkline } from '../charts/Sparkline.tsx';
import { classes } from '../components/classes.ts';
import { laterWords } from '../words/laterWords.ts';
import styles from './StatTile.module.css';

/** `nearest`: the figure that is closest to failing its criterion. `behind`: every other figure. `alike`: no figure can be judged yet. */
export type Rank = 'nearest' | 'behind' | 'alike';

interface StatTileProps {
  readonly label: ReactNode;
  readonly value: string;
  /** Text that is shown instead of the number while the number has no meaning. */
  readonly insteadOfValue?: string;
  /** What the number is about, such as "in the last second". */
  readonly about: string;
  /** Planned or required value as text; empty if there is none. */
  readonly wanted: string;
  readonly tone?: 'failed';
  readonly rank: Rank;
  /** Required value in each second, which the sparkline shows as a line. */
  readonly target?: number | null;
  readonly minute: readonly (number | null)[];
  readonly makeMinute: string;
  readonly color: string;
}

const SECONDS = 60;

/** A figure with its required value and a sparkline of the last minute. */
export function StatTile({
  label,
  value,
  insteadOfValue,
  about,
  wanted,
  tone,
  rank,
  target = null,
  minute,
  makeMinute,
  color,
}: StatTileProps) {
  const nearest = rank === 'nearest' ? laterWords.live.tiles.nearest : '';
  return (
    <div className={classes(styles.tile, rank === 'nearest' && styles.nearest)}>
      <p className={styles.label}>{label}</p>
      {insteadOfValue === undefined ? (
        <p className={classes(tone === 'failed' ? styles.bad : styles.value, rank === 'behind' && styles.behind)}>{value}</p>
      ) : (
        <p className={styles.waits}>{insteadOfValue}</p>
      )}
      <p className={styles.about}>{insteadOfValue === undefined ? about : '\u00a0'}</p>
      <p className={styles.wanted}>{[wanted, nearest].filter(Boolean).join(' · ') || '\u00a0'}</p>
      <div className={styles.spark} title={laterWords.live.tiles.minute(makeMinute)}>
        <Sparkline values={minute} places={SECONDS} color={color} target={target} />
      </div>
    </div>
  );
}
