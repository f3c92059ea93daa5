import type { ReactNode } from 'react';
import { Sparkline } from '../charts/Sparkline.tsx';
import { words } from '../words/words.ts';
import styles from './StatTile.module.css';

interface StatTileProps {
  readonly label: ReactNode;
  readonly value: string;
  /** What the number is about: "in the last second". */
  readonly about: string;
  /** What was planned or wanted; empty when nothing was. */
  readonly wanted: string;
  readonly tone?: 'breaks';
  readonly minute: readonly (number | null)[];
  readonly minuteOf: string;
  readonly color: string;
}

const SECONDS = 60;

/** One true number, what was wanted of it, and its last minute. */
export function StatTile({ label, value, about, wanted, tone, minute, minuteOf, color }: StatTileProps) {
  return (
    <div className={styles.tile}>
      <p className={styles.label}>{label}</p>
      <p className={tone === 'breaks' ? styles.bad : styles.value}>{value}</p>
      <p className={styles.about}>{about}</p>
      <p className={styles.wanted}>{wanted || '\u00a0'}</p>
      <div className={styles.spark} title={words.live.tiles.minute(minuteOf)}>
        <Sparkline values={minute} places={SECONDS} color={color} />
      </div>
    </div>
  );
}
