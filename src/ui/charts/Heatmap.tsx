import { useState } from 'react';
import { AXIS_HEIGHT } from '#core/presentation/charts/geometry.ts';
import { SERIES } from '#core/presentation/charts/looks.ts';
import { roundLevels, timeTicks } from '#core/presentation/charts/valueAxis.ts';
import { formatElapsed, formatTick } from '#core/presentation/charts/units.ts';
import { formatCount, formatMs } from '#core/base/units.ts';
import { words } from '../words/words.ts';
import { useWidth } from './useWidth.ts';
import styles from './LevelChart.module.css';

interface HeatmapProps {
  readonly title: string;
  readonly about: string;
  readonly columns: readonly { readonly second: number; readonly width: number; readonly counts: readonly number[] }[];
  /** Edges of the rows in ms, ascending; one more than there are rows. */
  readonly edgesMs: readonly number[];
  /** Returns the tooltip of a cell. */
  readonly say: (count: string, from: string, to: string, when: string) => string;
}

const ROW_HEIGHT = 12;
const LEFT = 58;
const RIGHT = 24;
const TOP = 6;
const TICK_WIDTH = 90;
/** Lowest opacity that is still visible. */
const MIN_OPACITY = 0.14;

/** Heatmap of response times over time. Each column is shaded relative to its own largest count. */
export function Heatmap({ title, about, columns, edgesMs, say }: HeatmapProps) {
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const width = useWidth(box);
  const rows = Math.max(edgesMs.length - 1, 0);
  const last = columns.at(-1);
  const end = last === undefined ? 1 : last.second + last.width;
  const right = Math.max(LEFT + 20, width - RIGHT);
  const bottom = TOP + rows * ROW_HEIGHT;
  const x = (second: number): number => LEFT + (second / end) * (right - LEFT);
  return (
    <figure className={styles.chart}>
      <figcaption className={styles.title}>
        {title} <span className={styles.about}>{about}</span>
      </figcaption>
      <p className={styles.hidden}>{getSummary(columns, edgesMs)}</p>
      <div ref={setBox} className={styles.map}>
        {width > 0 ? (
          <svg width={width} height={bottom + AXIS_HEIGHT} aria-hidden="true" className={styles.picture}>
            {roundLevels(edgesMs).map(({ ms, row }) => (
              <text key={ms} x={LEFT - 6} y={bottom - row * ROW_HEIGHT + 4} textAnchor="end">
                {formatTick(ms, 'ms')}
              </text>
            ))}
            {timeTicks(0, end, Math.max(1, Math.floor((right - LEFT) / TICK_WIDTH))).map((tick) => (
              <text key={tick} x={x(tick)} y={bottom + 18} textAnchor="middle">
                {formatElapsed(tick)}
              </text>
            ))}
            {columns.flatMap(({ second, width: seconds, counts }) => {
              const fullest = Math.max(...counts);
              return counts.map((count, row) =>
                count === 0 ? null : (
                  <rect
                    // oxlint-disable-next-line react/no-array-index-key -- [a row is what its index is]
                    key={`${second} ${row}`}
                    x={x(second)}
                    y={bottom - (row + 1) * ROW_HEIGHT}
                    width={Math.max(1, x(second + seconds) - x(second))}
                    height={ROW_HEIGHT}
                    fill={SERIES.completed.color}
                    fillOpacity={MIN_OPACITY + (1 - MIN_OPACITY) * (Math.log1p(count) / Math.log1p(fullest))}
                  >
                    <title>
                      {say(formatCount(count), formatMs(edgesMs[row] ?? 0), formatMs(edgesMs[row + 1] ?? 0), formatElapsed(second))}
                    </title>
                  </rect>
                ),
              );
            })}
            <path d={`M${LEFT} ${bottom}H${right}`} stroke="var(--chart-grid)" />
          </svg>
        ) : null}
      </div>
    </figure>
  );
}

/** Describes for screen readers where most responses of the first, middle and last column are. */
function getSummary(columns: HeatmapProps['columns'], edgesMs: readonly number[]): string {
  const filled = columns.filter(({ counts }) => counts.some((count) => count > 0));
  const shown = new Set([filled[0], filled[Math.floor(filled.length / 2)], filled.at(-1)]);
  return [...shown]
    .flatMap((column) => {
      if (column === undefined) return [];
      const row = column.counts.indexOf(Math.max(...column.counts));
      return [words.charts.mostResponses(formatElapsed(column.second), formatMs(edgesMs[row] ?? 0), formatMs(edgesMs[row + 1] ?? 0))];
    })
    .join(' ');
}
