import { useId, useMemo, useState } from 'react';
import { CartesianGrid, Line, LineChart, Tooltip, XAxis, YAxis } from 'recharts';
import { AXIS_WIDTH } from '#core/presentation/charts/geometry.ts';
import type { SeriesLook } from '#core/presentation/charts/looks.ts';
import { chooseLabelledMarks, maxRarity, RARITY_MARKS, rarityOf } from '#core/presentation/charts/rarity.ts';
import { logAxis } from '#core/presentation/charts/valueAxis.ts';
import { formatTick, formatValue } from '#core/presentation/charts/units.ts';
import { getOwn } from '#core/base/ownMembers.ts';
import { formatPercentile } from '#core/base/units.ts';
import { CURSOR, HORIZONTAL_AXIS, VALUE_AXIS } from './axes.ts';
import { words } from '../words/words.ts';
import { Legend, LegendScope, useSwitches } from './Legend.tsx';
import { PointReadout } from './PointReadout.tsx';
import { lineKey } from './plotRows.ts';
import { useDrawingTurn } from './useNear.ts';
import { useWidth } from '../components/useWidth.ts';
import styles from './LevelChart.module.css';

interface PercentileLine {
  readonly name: string;
  readonly look: SeriesLook;
  /** Points in ascending order of percentile, from 0 to 100. */
  readonly points: readonly { readonly percentile: number; readonly ms: number }[];
}

interface PercentilePlotProps {
  readonly title: string;
  readonly lines: readonly PercentileLine[];
}

const HEIGHT = 260;
const MARGIN = { top: 10, right: 24, bottom: 0, left: 0 } as const;
/** Estimated width of a character in a label, and the gap between labels, in pixels. */
const CHARACTER_WIDTH = 6.4;
const GAP = 14;

/**
 * Plot of response times by percentile. The axis is logarithmic in the share of responses above a percentile, so that p99 and p99.9 get as
 * much room as p90.
 */
export function PercentilePlot(props: PercentilePlotProps) {
  const { lines } = props;
  return (
    <LegendScope>
      {lines.length > 1 ? <Legend lines={lines.map(({ name, look }) => ({ key: name, name, look }))} /> : null}
      <Plot {...props} />
    </LegendScope>
  );
}

function Plot({ title, lines }: PercentilePlotProps) {
  const { off } = useSwitches();
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const id = useId();
  const width = useWidth(box);
  const isDue = useDrawingTurn(box, width > 0) === true;
  const rarest = maxRarity(lines);
  const rows = useMemo(() => rowsOf(lines, rarest), [lines, rarest]);
  const all = lines.flatMap(({ points }) => points.map(({ ms }) => ms));
  const axis = logAxis(Math.min(...all), Math.max(...all));
  const length = Math.max(20, width - AXIS_WIDTH - MARGIN.right);
  const marks = RARITY_MARKS.filter((mark) => rarityOf(mark) <= rarest);
  const labelled = chooseLabelledMarks(rarest, length, (mark) => formatPercentile(mark).length * CHARACTER_WIDTH + GAP, MARGIN.right);
  return (
    <figure className={styles.chart} aria-labelledby={id}>
      <figcaption id={id} className={styles.title}>
        {title} <span className={styles.about}>{words.charts.units.ms}</span>
      </figcaption>
      <p className="only-read-out">{lines.map((line) => getSummary(line)).join(' ')}</p>
      <div ref={setBox} className={styles.box} aria-hidden="true">
        {isDue ? (
          <LineChart width={width} height={HEIGHT} margin={MARGIN} data={rows} accessibilityLayer={false}>
            <CartesianGrid stroke="var(--chart-grid)" />
            <XAxis
              {...HORIZONTAL_AXIS}
              dataKey="rarity"
              domain={[0, rarest]}
              allowDataOverflow
              ticks={marks.map(rarityOf)}
              tickFormatter={(rarity: number) => {
                const mark = labelled.find((one) => rarityOf(one) === rarity);
                return mark === undefined ? '' : formatPercentile(mark);
              }}
              axisLine={false}
              tickLine={false}
            />
            <YAxis
              {...VALUE_AXIS}
              scale="log"
              domain={[axis.from, axis.to]}
              allowDataOverflow
              ticks={axis.ticks}
              tickFormatter={(ms: number) => formatTick(ms, 'ms')}
            />
            {lines.map(({ name, look }, index) => (
              <Line
                key={name}
                dataKey={lineKey(index)}
                hide={off.has(name)}
                stroke={look.color}
                strokeDasharray={look.dash}
                strokeWidth={2}
                dot={false}
                activeDot={{ r: 3.5, fill: look.color, stroke: 'var(--surface-card)' }}
                connectNulls
                isAnimationActive={false}
              />
            ))}
            <Tooltip isAnimationActive={false} cursor={CURSOR} content={<Readout lines={lines} rows={rows} />} />
          </LineChart>
        ) : null}
      </div>
    </figure>
  );
}

interface ReadoutProps {
  readonly lines: readonly PercentileLine[];
  readonly rows: readonly PercentileRow[];
  /** Whether the crosshair is shown, and its position on the axis. Recharts passes both. */
  readonly active?: boolean;
  readonly label?: string | number;
}

/** Shows the times of the percentile at the crosshair. */
function Readout({ lines, rows, active = false, label }: ReadoutProps) {
  const { off } = useSwitches();
  const row = rows.find(({ rarity }) => rarity === Number(label));
  if (!active || row === undefined) return null;
  const visibleLines = lines.flatMap(({ name, look }, index) =>
    off.has(name) ? [] : [{ name, look, text: formatValue(getOwn(row, lineKey(index)) ?? null, 'ms') }],
  );
  return <PointReadout title={formatPercentile(Number(row.percentile.toPrecision(6)))} lines={visibleLines} />;
}

type PercentileRow = { readonly percentile: number; readonly rarity: number; readonly [line: `line${number}`]: number };

/** Returns one row per percentile. The slowest response is at the end of the axis. */
function rowsOf(lines: readonly PercentileLine[], rarest: number): PercentileRow[] {
  const rows = new Map<number, PercentileRow>();
  for (const [index, { points }] of lines.entries())
    for (const { percentile, ms } of points) {
      const rarity = Math.min(rarityOf(percentile), rarest);
      rows.set(rarity, { ...rows.get(rarity), percentile, rarity, [lineKey(index)]: ms });
    }
  return [...rows.values()].sort((one, other) => one.rarity - other.rarity);
}

function getSummary({ name, points }: PercentileLine): string {
  const percentileTexts = [50, 90, 99].flatMap((mark) => {
    const point = points.find(({ percentile }) => percentile >= mark - 1e-9);
    return point === undefined ? [] : [`${formatPercentile(mark)}: ${formatValue(point.ms, 'ms')}`];
  });
  return `${name}: ${percentileTexts.join(', ')}.`;
}
