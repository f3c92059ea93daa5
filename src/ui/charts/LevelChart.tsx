import { useId, useMemo, useState } from 'react';
import { CartesianGrid, ErrorBar, Line, LineChart, ReferenceLine, Tooltip, XAxis, YAxis } from 'recharts';
import { AXIS_WIDTH } from '#core/presentation/charts/geometry.ts';
import {
  type LevelAxis,
  levelAxis,
  type LevelData,
  type LevelLine,
  type LevelValue,
  listOutcomes,
  thinOutTicks,
} from '#core/presentation/charts/levels.ts';
import { chartNames } from '#core/presentation/charts/names.ts';
import { linearAxis } from '#core/presentation/charts/valueAxis.ts';
import type { Unit } from '#core/presentation/charts/types.ts';
import { formatTick, formatValue } from '#core/presentation/charts/units.ts';
import { CURSOR, HORIZONTAL_AXIS, VALUE_AXIS } from './axes.ts';
import { words } from '../words/words.ts';
import { ChartGrid } from './ChartGrid.tsx';
import { Legend, LegendScope, useSwitches } from './Legend.tsx';
import { PointReadout } from './PointReadout.tsx';
import { useDrawingTurn } from './useNear.ts';
import { useWidth } from '../components/useWidth.ts';
import styles from './LevelChart.module.css';

const HEIGHT = 220;
const MARGIN = { top: 10, right: 18, bottom: 16, left: 0 } as const;
/** Additional height above the plot for labels of marks, which would hide values inside it. */
const MARK_HEIGHT = 14;
const MARGIN_WITH_MARKS = { ...MARGIN, top: MARGIN.top + MARK_HEIGHT } as const;
const TICKS = 5;
/** Estimated width of a character in a tick label, and the gap between labels, in pixels. */
const CHARACTER_WIDTH = 7.2;
const TICK_GAP = 14;
/** Distance between the bars of two lines at the same level, in pixels. */
const LINE_OFFSET = 3;
/** Space between names of levels and the ends of the axis, in pixels. */
const MAX_INSET = 24;

const NO_MARKS: NonNullable<LevelData['marks']> = [];

interface LevelChartsProps {
  readonly charts: readonly LevelData[];
  /** Whether the legend is shown; default: true. */
  readonly hasLegend?: boolean;
}

/** Charts over the same levels. One legend switches the lines of all charts. */
export function LevelCharts({ charts, hasLegend = true }: LevelChartsProps) {
  const lines = charts.at(-1)?.lines ?? [];
  const namedLevelLines = hasLegend && lines.length > 1 ? lines : [];
  const outcomes = listOutcomes(charts.flatMap((chart) => chart.lines));
  return (
    <LegendScope>
      {namedLevelLines.length === 0 && outcomes.length === 0 ? null : (
        <Legend lines={namedLevelLines.map(({ name, look }) => ({ key: name, name, look }))}>
          {outcomes.map((outcome) => (
            <li key={outcome}>
              <svg width={16} height={14} aria-hidden="true" fill="none">
                <LevelPoint cx={8} cy={7} outcome={outcome} color="" />
              </svg>
              {chartNames.levels.outcomes[outcome]}
            </li>
          ))}
        </Legend>
      )}
      <ChartGrid>
        {charts.map((chart) => (
          <LevelChart key={chart.title} {...chart} />
        ))}
      </ChartGrid>
    </LegendScope>
  );
}

/** Line chart of medians over levels. Bars show the minimum and maximum of the repeats. */
function LevelChart({ title, about, unit, categories, numbers, axisName, lines, marks = NO_MARKS }: LevelData) {
  const { off } = useSwitches();
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const id = useId();
  const width = useWidth(box);
  const isWide = width > 0;
  const shownLevelLines = lines.filter(({ name }) => !off.has(name));
  const isDue = useDrawingTurn(box, isWide) === true;
  const levels = useMemo(() => levelAxis({ categories, numbers }), [categories, numbers]);
  return (
    <figure className={styles.chart} aria-labelledby={id}>
      <figcaption id={id} className={styles.title}>
        {title} <span className={styles.about}>{about === '' ? words.charts.units[unit] : about}</span>
      </figcaption>
      <p className="only-read-out">{lines.map((line) => getSummary(line, categories, unit)).join(' ')}</p>
      <div ref={setBox} className={styles.box} aria-hidden="true">
        {isDue && isWide ? (
          <LevelPlot
            width={width}
            unit={unit}
            categories={categories}
            axisName={axisName}
            hasNames={numbers === null}
            levels={levels}
            lines={shownLevelLines}
            lineCount={lines.length}
            marks={marks}
          />
        ) : null}
      </div>
    </figure>
  );
}

interface LevelPlotProps extends Pick<LevelData, 'unit' | 'categories' | 'axisName'> {
  readonly width: number;
  /** Whether levels have names instead of numbers. */
  readonly hasNames: boolean;
  readonly levels: LevelAxis;
  readonly lines: readonly LevelLine[];
  /** Number of lines, switched off ones included, for which the axis has room. */
  readonly lineCount: number;
  readonly marks: NonNullable<LevelData['marks']>;
}

function LevelPlot({ width, unit, categories, axisName, hasNames, levels, lines, lineCount, marks }: LevelPlotProps) {
  const highest = Math.max(0, ...lines.flatMap(({ values }) => values.flatMap((value) => value?.most ?? [])));
  const axis = linearAxis(highest, TICKS, unit === 'count');
  const length = Math.max(20, width - AXIS_WIDTH - MARGIN.right);
  // Names need a margin at both ends of the axis; numeric levels only need room for the bars beside them.
  const inset = (hasNames ? Math.min(MAX_INSET, length / 8) : LINE_OFFSET * lineCount) / length;
  const hasTopMarks = marks.some(({ end }) => end === 'top');
  const ticks = thinOutTicks(levels.ticks, length, CHARACTER_WIDTH, TICK_GAP);
  return (
    <LineChart width={width} height={HEIGHT} margin={hasTopMarks ? MARGIN_WITH_MARKS : MARGIN} accessibilityLayer={false}>
      <CartesianGrid vertical={false} stroke="var(--chart-grid)" />
      <XAxis
        {...HORIZONTAL_AXIS}
        dataKey="share"
        domain={[-inset, 1 + inset]}
        ticks={ticks.map(({ share }) => share)}
        tickFormatter={(share: number) => ticks.find((tick) => tick.share === share)?.label ?? ''}
        tickSize={4}
        stroke="var(--chart-axis)"
        label={{
          value: levels.isLogarithmic ? `${axisName}, ${chartNames.logScale}` : axisName,
          position: 'bottom',
          offset: -2,
          ...HORIZONTAL_AXIS.tick,
        }}
      />
      <YAxis {...VALUE_AXIS} domain={[axis.from, axis.to]} ticks={axis.ticks} tickFormatter={(value: number) => formatTick(value, unit)} />
      {marks.map(({ index, label, end }) => (
        <ReferenceLine
          key={`${index} ${label}`}
          x={levels.shareOf(index)}
          stroke="var(--text-muted)"
          strokeDasharray="2 3"
          label={{ value: label, position: labelPosition(levels.shareOf(index), end), ...HORIZONTAL_AXIS.tick }}
        />
      ))}
      {lines.map((line, index) => {
        const shift = (LINE_OFFSET * (index - (lines.length - 1) / 2)) / length;
        return (
          <Line
            key={line.name}
            name={line.name}
            data={line.values.map((value, place) => rowOf(value, levels.shareOf(place) + shift))}
            dataKey="median"
            stroke={line.look.color}
            strokeWidth={2}
            strokeDasharray={line.look.dash}
            isAnimationActive={false}
            activeDot={false}
            dot={<LevelDot color={line.look.color} />}
          >
            <ErrorBar dataKey="spread" direction="y" width={0} stroke={line.look.color} strokeWidth={1.5} isAnimationActive={false} />
          </Line>
        );
      })}
      <Tooltip
        isAnimationActive={false}
        cursor={CURSOR}
        content={<Readout lines={lines} levels={levels} categories={categories} axisName={hasNames ? '' : axisName} unit={unit} />}
      />
    </LineChart>
  );
}

/** Returns the position of a mark's label: above the plot, or at its bottom on the side of the mark's line that has more room. */
function labelPosition(share: number, end: 'top' | 'bottom') {
  if (end === 'top') return 'top';
  return share > 0.6 ? 'insideBottomRight' : 'insideBottomLeft';
}

interface LevelRow {
  readonly share: number;
  readonly median: number | null;
  /** Distances of the minimum and maximum from the median. */
  readonly spread: readonly [number, number];
  readonly outcome: LevelValue['outcome'];
}

interface DotProps {
  readonly color: string;
  /** Position on the chart and the row of the dot, which Recharts passes. */
  readonly cx?: number;
  readonly cy?: number | null;
  readonly payload?: LevelRow;
}

/** A dot of a line. A gap has no dot. */
function LevelDot({ color, cx, cy, payload }: DotProps) {
  return cx === undefined || typeof cy !== 'number' ? null : <LevelPoint cx={cx} cy={cy} outcome={payload?.outcome} color={color} />;
}

interface ReadoutProps {
  readonly lines: readonly LevelLine[];
  readonly levels: LevelAxis;
  readonly categories: readonly string[];
  /** Name of the axis, shown after a number; empty if levels have names. */
  readonly axisName: string;
  readonly unit: Unit;
  /** Whether the crosshair is shown, and its position on the axis. Recharts passes both. */
  readonly active?: boolean;
  readonly label?: string | number;
}

/** Shows the values of the level at the crosshair. */
function Readout({ lines, levels, categories, axisName, unit, active = false, label }: ReadoutProps) {
  if (!active) return null;
  const distances = categories.map((_, index) => Math.abs(levels.shareOf(index) - Number(label)));
  const place = distances.indexOf(Math.min(...distances));
  const visibleLines = lines.flatMap(({ name, look, values }) => {
    const value = values[place] ?? null;
    return value === null ? [] : [{ name, look, text: spreadText(value, unit) }];
  });
  return <PointReadout title={`${categories[place] ?? ''} ${axisName}`.trim()} lines={visibleLines} />;
}

function rowOf(value: LevelValue | null, share: number): LevelRow {
  if (value === null) return { share, median: null, spread: [0, 0], outcome: undefined };
  const { median, least, most, outcome } = value;
  return { share, median, spread: [median - least, most - median], outcome };
}

function spreadText({ median, least, most }: LevelValue, unit: Unit): string {
  const middle = formatValue(median, unit);
  return least < most ? `${middle} (${formatValue(least, unit)} – ${formatValue(most, unit)})` : middle;
}

interface LevelPointProps {
  readonly cx: number;
  readonly cy: number;
  readonly outcome: LevelValue['outcome'];
  readonly color: string;
}

/** Marks a failed level with a cross, and an inconclusive level with a ring, so that colour is not the only sign. */
function LevelPoint({ cx, cy, outcome, color }: LevelPointProps) {
  if (outcome === 'failed')
    return <path d={`M${cx - 4.5} ${cy - 4.5}l9 9M${cx + 4.5} ${cy - 4.5}l-9 9`} stroke="var(--text-failed)" strokeWidth={2.6} />;
  if (outcome === 'inconclusive')
    return <circle cx={cx} cy={cy} r={4.5} fill="var(--surface-card)" stroke="var(--text-inconclusive)" strokeWidth={2} />;
  return <circle cx={cx} cy={cy} r={3.5} fill={color} stroke="none" />;
}

function getSummary({ name, values }: LevelLine, categories: readonly string[], unit: Unit): string {
  const sentences = values.map(
    (value, index) =>
      `${categories[index]}: ${value === null ? words.charts.noData : formatValue(value.median, unit)}${value?.outcome === undefined ? '' : ` (${chartNames.levels.outcomes[value.outcome]})`}`,
  );
  return `${name}: ${sentences.join(', ')}.`;
}
