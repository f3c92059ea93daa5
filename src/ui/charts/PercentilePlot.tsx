import { useState } from 'react';
import { AXIS_HEIGHT } from '#core/presentation/charts/geometry.ts';
import type { SeriesLook } from '#core/presentation/charts/looks.ts';
import { linePath } from '#core/presentation/charts/paths.ts';
import { labelledMarks, maxRarity, RARITY_MARKS, getRarity } from '#core/presentation/charts/rarity.ts';
import { logAxis } from '#core/presentation/charts/valueAxis.ts';
import { formatTick, formatValue } from '#core/presentation/charts/units.ts';
import { formatPortion } from '#core/base/units.ts';
import { words } from '../words/words.ts';
import { useWidth } from './useWidth.ts';
import styles from './LevelChart.module.css';

export interface PercentileLine {
  readonly name: string;
  readonly look: SeriesLook;
  /** Ascending by percentile, from 0 to 100. */
  readonly points: readonly { readonly percentile: number; readonly ms: number }[];
}

const HEIGHT = 260;
const LEFT = 58;
const RIGHT = 24;
const TOP = 10;
/** Estimated width of a character in a label, and the gap between labels, in pixels. */
const CHARACTER_WIDTH = 6.4;
const GAP = 14;

/** Response times by percentile. The percentile axis is logarithmic in the share above it, so that p99 and p99.9 get as much room as p90. */
export function PercentilePlot({ title, lines }: { readonly title: string; readonly lines: readonly PercentileLine[] }) {
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const width = useWidth(box);
  const all = lines.flatMap(({ points }) => points.map(({ ms }) => ms));
  const axis = logAxis(Math.min(...all), Math.max(...all));
  const rarest = maxRarity(lines);
  const bottom = HEIGHT - AXIS_HEIGHT;
  const right = Math.max(LEFT + 20, width - RIGHT);
  const x = (percentile: number): number => LEFT + (Math.min(getRarity(percentile), rarest) / rarest) * (right - LEFT);
  const y = (ms: number): number => bottom - (Math.log(ms / axis.from) / Math.log(axis.to / axis.from)) * (bottom - TOP);
  const widthOf = (mark: number): number => formatPortion(mark).length * CHARACTER_WIDTH + GAP;
  const labelled = labelledMarks(rarest, right - LEFT, widthOf, RIGHT);
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.title}>
        {title} <span className={styles.about}>{words.charts.units.ms}</span>
      </figcaption>
      <p className={styles.hidden}>{lines.map((line) => getSummary(line)).join(' ')}</p>
      <div ref={setBox} className={styles.box}>
        {width > 0 ? (
          <svg width={width} height={HEIGHT} aria-hidden="true" className={styles.picture}>
            {axis.ticks.map((tick) => (
              <g key={tick}>
                <path d={`M${LEFT} ${y(tick)}H${right}`} stroke="var(--chart-grid)" />
                <text x={LEFT - 6} y={y(tick) + 4} textAnchor="end">
                  {formatTick(tick, 'ms')}
                </text>
              </g>
            ))}
            {RARITY_MARKS.filter((mark) => getRarity(mark) <= rarest).map((mark) => (
              <path key={mark} d={`M${x(mark)} ${TOP}V${bottom}`} stroke="var(--chart-grid)" />
            ))}
            {labelled.map((mark) => (
              <text key={mark} x={Math.min(x(mark), width - widthOf(mark) / 2)} y={bottom + 16} textAnchor="middle">
                {formatPortion(mark)}
              </text>
            ))}
            {lines.map(({ name, look, points }) => (
              <path
                key={name}
                d={linePath(points.map(({ percentile, ms }) => ({ x: x(percentile), y: y(ms) })))}
                stroke={look.color}
                strokeDasharray={look.dash}
                strokeWidth={2}
                fill="none"
              />
            ))}
          </svg>
        ) : null}
      </div>
    </figure>
  );
}

function getSummary({ name, points }: PercentileLine): string {
  const stated = [50, 90, 99].flatMap((mark) => {
    const point = points.find(({ percentile }) => percentile >= mark - 1e-9);
    return point === undefined ? [] : [`${formatPortion(mark)}: ${formatValue(point.ms, 'ms')}`];
  });
  return `${name}: ${stated.join(', ')}.`;
}
