import { useId, useState } from 'react';
import { ComposedChart, XAxis, YAxis } from 'recharts';
import { AXIS_HEIGHT, AXIS_WIDTH, xOf } from '#core/presentation/charts/geometry.ts';
import { SERIES } from '#core/presentation/charts/looks.ts';
import { roundLevels, timeTicks } from '#core/presentation/charts/valueAxis.ts';
import { formatElapsed, formatTick } from '#core/presentation/charts/units.ts';
import { formatCount, formatMs } from '#core/base/units.ts';
import { HORIZONTAL_AXIS, VALUE_AXIS } from './axes.ts';
import { words } from '../words/words.ts';
import { useDrawingTurn } from './useNear.ts';
import { useWidth } from '../components/useWidth.ts';
import styles from './LevelChart.module.css';

interface HeatmapProps {
  readonly title: string;
  readonly about: string;
  readonly columns: readonly { readonly second: number; readonly width: number; readonly counts: readonly number[] }[];
  /** Edges of the rows in ms, ascending. There is one edge more than there are rows. */
  readonly edgesMs: readonly number[];
  /** Returns the text of the tooltip for a cell. */
  readonly describeCell: (count: string, from: string, to: string, when: string) => string;
}

const ROW_HEIGHT = 12;
const MARGIN = { top: 6, right: 24, bottom: 0, left: 0 } as const;
const TICK_WIDTH = 90;
/** Lowest opacity that is still visible. */
const MIN_OPACITY = 0.14;
/** A row without a value, because Recharts draws axes only if there is data. */
const NO_VALUES = [{ second: 0, row: null }];

/** Heatmap of response times over time, with axes drawn by Recharts. Each column is shaded relative to its own largest count. */
export function Heatmap({ title, about, columns, edgesMs, describeCell }: HeatmapProps) {
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const id = useId();
  const width = useWidth(box);
  const isDue = useDrawingTurn(box, width > 0) === true;
  const rows = Math.max(edgesMs.length - 1, 0);
  const last = columns.at(-1);
  const end = last === undefined ? 1 : last.second + last.width;
  const right = Math.max(AXIS_WIDTH + 20, width - MARGIN.right);
  const bottom = MARGIN.top + rows * ROW_HEIGHT;
  const plot = { width, height: bottom + AXIS_HEIGHT, left: AXIS_WIDTH, right, top: MARGIN.top, bottom };
  const levels = roundLevels(edgesMs);
  return (
    <figure className={styles.chart} aria-labelledby={id}>
      <figcaption id={id} className={styles.title}>
        {title} <span className={styles.about}>{about}</span>
      </figcaption>
      <p className="only-read-out">{getSummary(columns, edgesMs)}</p>
      <div ref={setBox} className={styles.box} aria-hidden="true">
        {isDue ? (
          <ComposedChart width={width} height={plot.height} margin={MARGIN} data={NO_VALUES} accessibilityLayer={false}>
            <XAxis
              {...HORIZONTAL_AXIS}
              dataKey="second"
              domain={[0, end]}
              allowDataOverflow
              ticks={timeTicks(0, end, Math.max(1, Math.floor((right - AXIS_WIDTH) / TICK_WIDTH)))}
              tickFormatter={formatElapsed}
              tickLine={false}
              stroke="var(--chart-grid)"
            />
            <YAxis
              {...VALUE_AXIS}
              dataKey="row"
              domain={[0, rows]}
              allowDataOverflow
              ticks={levels.map(({ row }) => row)}
              tickFormatter={(row: number) => formatTick(levels.find((level) => level.row === row)?.ms ?? 0, 'ms')}
            />
            {columns.flatMap(({ second, width: seconds, counts }) => {
              const fullest = Math.max(...counts);
              const x = xOf(second, 0, end, plot);
              return counts.map((count, row) =>
                count === 0 ? null : (
                  <rect
                    // oxlint-disable-next-line react/no-array-index-key -- [a row is what its index is]
                    key={`${second} ${row}`}
                    x={x}
                    y={bottom - (row + 1) * ROW_HEIGHT}
                    width={Math.max(1, xOf(second + seconds, 0, end, plot) - x)}
                    height={ROW_HEIGHT}
                    fill={SERIES.completed.color}
                    fillOpacity={MIN_OPACITY + (1 - MIN_OPACITY) * (Math.log1p(count) / Math.log1p(fullest))}
                  >
                    <title>
                      {describeCell(
                        formatCount(count),
                        formatMs(edgesMs[row] ?? 0),
                        formatMs(edgesMs[row + 1] ?? 0),
                        formatElapsed(second),
                      )}
                    </title>
                  </rect>
                ),
              );
            })}
          </ComposedChart>
        ) : null}
      </div>
    </figure>
  );
}

/** Describes for screen readers where most responses are in the first, the middle and the last column. */
function getSummary(columns: HeatmapProps['columns'], edgesMs: readonly number[]): string {
  const filled = columns.filter(({ counts }) => counts.some((count) => count > 0));
  const labelledColumns = new Set([filled[0], filled[Math.floor(filled.length / 2)], filled.at(-1)]);
  return [...labelledColumns]
    .flatMap((column) => {
      if (column === undefined) return [];
      const row = column.counts.indexOf(Math.max(...column.counts));
      return [words.charts.mostResponses(formatElapsed(column.second), formatMs(edgesMs[row] ?? 0), formatMs(edgesMs[row + 1] ?? 0))];
    })
    .join(' ');
}
