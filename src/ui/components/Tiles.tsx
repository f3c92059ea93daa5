import type { Tile } from '#core/presentation/document/model.ts';
import { classes } from './classes.ts';
import styles from './Tiles.module.css';

interface TilesProps {
  /** Name of the group for screen readers. */
  readonly label: string;
  readonly tiles: readonly Tile[];
  /** Whether the tiles are smaller and have no borders, as in a card. */
  readonly isCompact?: boolean;
}

/** Main figures side by side, each with its name and a note. */
export function Tiles({ label, tiles, isCompact = false }: TilesProps) {
  return (
    <dl className={classes(styles.tiles, isCompact && styles.compact)} aria-label={label}>
      {tiles.map(({ name, value, note }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd className={styles.value}>{value}</dd>
          <dd className={styles.note}>{note}</dd>
        </div>
      ))}
    </dl>
  );
}
