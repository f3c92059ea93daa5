import type { ReactNode } from 'react';
import { Sparkline } from '../charts/Sparkline.tsx';
import { classes } from '../components/classes.ts';
import { words } from '../words/words.ts';
import styles from './StatTile.module.css';

/** `nearest`: of all figures with a criterion the one to look at; `behind` it stand the others. `alike`: none is judged so far. */
export type Rank = 'nearest' | 'behind' | 'alike';

interface StatTileProps {
  readonly label: ReactNode;
  readonly value: string;
  /** What it waits for, in place of a number that says nothing meanwhile. */
  readonly insteadOfValue?: string;
  /** What the number is about: "in the last second". */
  readonly about: string;
  /** What was planned or wanted; empty when nothing was. */
  readonly wanted: string;
  readonly tone?: 'breaks';
  readonly rank: Rank;
  /** What was asked for of each second, as a line in the small chart. */
  readonly target?: number | null;
  readonly minute: readonly (number | null)[];
  readonly minuteOf: string;
  readonly color: string;
}

const SECONDS = 60;

/** One true number, what was wanted of it, and its last minute. */
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
  minuteOf,
  color,
}: StatTileProps) {
  const nearest = rank === 'nearest' ? words.live.tiles.nearest : '';
  return (
    <div className={classes(styles.tile, rank === 'nearest' && styles.nearest)}>
      <p className={styles.label}>{label}</p>
      {insteadOfValue === undefined ? (
        <p className={classes(tone === 'breaks' ? styles.bad : styles.value, rank === 'behind' && styles.behind)}>{value}</p>
      ) : (
        <p className={styles.waits}>{insteadOfValue}</p>
      )}
      <p className={styles.about}>{insteadOfValue === undefined ? about : '\u00a0'}</p>
      <p className={styles.wanted}>{[wanted, nearest].filter(Boolean).join(' · ') || '\u00a0'}</p>
      <div className={styles.spark} title={words.live.tiles.minute(minuteOf)}>
        <Sparkline values={minute} places={SECONDS} color={color} target={target} />
      </div>
    </div>
  );
}
