import type { RunRow } from '#contract/replies.ts';
import { formatCount, formatMs } from '#core/base/units.ts';
import { Sparkline } from '../charts/Sparkline.tsx';
import { SERIES } from '#core/presentation/charts/looks.ts';
import { words } from '../words/words.ts';
import styles from './RunTable.module.css';

/** Fewer are no trend. */
const LEAST = 3;

/** The times of the runs like this one until then, as a line as large as a word. */
export function Trend({ p95Ms }: { readonly p95Ms: readonly RunRow['p95Ms'][] }) {
  if (p95Ms.length < LEAST) return null;
  const [first = null] = p95Ms;
  const label = words.history.trend(formatCount(p95Ms.length), formatMs(first), formatMs(p95Ms.at(-1) ?? null));
  return (
    <span className={styles.trend}>
      <Sparkline values={p95Ms.map((time) => (time === 'never' ? null : time))} label={label} color={SERIES.p90.color} />
    </span>
  );
}
