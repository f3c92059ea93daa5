import { formatNumber } from '#core/base/units.ts';
import { words } from '../words/words.ts';
import styles from './RunTable.module.css';

const WIDTH = 72;
const HEIGHT = 20;

/** The rate over the run in small, its average beside it; the picture says nothing that the number does not. */
export function Sparkline({ values, average }: { readonly values: readonly number[]; readonly average: number | null }) {
  if (average === null) return <span className={styles.muted}>{words.common.notKnown}</span>;
  const highest = Math.max(...values, 0);
  const points = values.map((value, index) => {
    const x = values.length === 1 ? WIDTH : (index / (values.length - 1)) * WIDTH;
    const y = HEIGHT - 1 - (highest === 0 ? 0 : (value / highest) * (HEIGHT - 2));
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return (
    <span className={styles.figure}>
      {values.length > 1 ? (
        <svg width={WIDTH} height={HEIGHT} aria-hidden="true">
          <polyline points={points.join(' ')} className={styles.line} />
        </svg>
      ) : null}
      {formatNumber(average)}
    </span>
  );
}
