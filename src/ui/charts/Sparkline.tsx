import { SERIES } from '#core/presentation/charts/looks.ts';
import styles from './Sparkline.module.css';

interface SparklineProps {
  /** Values, oldest first; null is a gap. */
  readonly values: readonly (number | null)[];
  /** Description for screen readers. Without a description, the line is hidden from them. */
  readonly label?: string;
  /** CSS colour of the line. */
  readonly color?: string;
  /** Target value, which is drawn as a horizontal line. A target far above the values is not drawn. */
  readonly target?: number | null;
  /** Number of positions on the axis. If there are fewer values, the line starts further right. */
  readonly places?: number;
}

const WIDTH = 120;
const HEIGHT = 28;
const MARGIN = 2;

/** A line chart as small as a word, from 0 to the highest value. */
export function Sparkline({ values, label, color = SERIES.completed.color, target = null, places = values.length }: SparklineProps) {
  const top = axisTop(values, target);
  return (
    <svg
      className={styles.sparkline}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      {...(label === undefined ? { 'aria-hidden': true } : { role: 'img', 'aria-label': label })}
    >
      <path d={`M0 ${HEIGHT - MARGIN}H${WIDTH}`} className={styles.base} />
      {target !== null && target <= top ? <path d={`M0 ${heightOf(target, top)}H${WIDTH}`} className={styles.target} /> : null}
      <path d={sparklinePath(values, places, top)} stroke={color} className={styles.line} />
    </svg>
  );
}

/** Maximum ratio of the target to the highest value. A higher target would flatten the line, so it is not drawn. */
const MAX_TARGET_RATIO = 4;

/** Returns the upper end of the axis: the highest value, or a target that is not far above it. */
export function axisTop(values: readonly (number | null)[], target: number | null): number {
  const highest = values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);
  return (target !== null && target <= MAX_TARGET_RATIO * highest ? Math.max(highest, target) : highest) || 1;
}

function heightOf(value: number, top: number): number {
  return round(HEIGHT - MARGIN - (value / top) * (HEIGHT - 2 * MARGIN));
}

/** Returns the line as an SVG path: a new segment after each gap, and a dot (a segment of length 0) for a single value. */
export function sparklinePath(values: readonly (number | null)[], places: number, top = axisTop(values, null)): string {
  const step = places > 1 ? (WIDTH - 2 * MARGIN) / (places - 1) : 0;
  const start = Math.max(0, places - values.length);
  let path = '';
  let drawing = false;
  values.forEach((value, index) => {
    if (value === null) {
      drawing = false;
      return;
    }
    const x = round(MARGIN + (start + index) * step);
    const y = heightOf(value, top);
    const alone = !drawing && (values[index + 1] ?? null) === null;
    path += `${drawing ? 'L' : 'M'}${x} ${y}${alone ? 'h0' : ''}`;
    drawing = true;
  });
  return path;
}

const round = (value: number): number => Math.round(value * 10) / 10;
