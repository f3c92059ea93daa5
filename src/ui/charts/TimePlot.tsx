import { memo, useMemo } from 'react';
import {
  Area,
  CartesianGrid,
  ComposedChart,
  Curve,
  type CurveProps,
  Line,
  ReferenceArea,
  ReferenceLine,
  Tooltip,
  XAxis,
  YAxis,
  ZIndexLayer,
} from 'recharts';
import { getOwn } from '#core/base/ownMembers.ts';
import { indexAt } from '#core/presentation/charts/drawnRows.ts';
import { type Plot } from '#core/presentation/charts/geometry.ts';
import { dotsPath, shortRunDots, type PlotPoint } from '#core/presentation/charts/paths.ts';
import { type Axis, timeTicks } from '#core/presentation/charts/valueAxis.ts';
import type { ChartBand, ChartData, ChartSeries, Limit, Unit } from '#core/presentation/charts/types.ts';
import { formatElapsed, formatTick, formatValue } from '#core/presentation/charts/units.ts';
import { CURSOR, HORIZONTAL_AXIS, VALUE_AXIS } from './axes.ts';
import { words } from '../words/words.ts';
import type { TimeFrame } from './ChartView.tsx';
import { HatchPattern } from './Legend.tsx';
import { momentText } from './moment.ts';
import { LimitLabel, RangeLabels, Seconds, StageName } from './plotMarks.tsx';
import { PointReadout } from './PointReadout.tsx';
import { lineKey, type PlotRow, plotRows } from './plotRows.ts';

export interface TimePlotProps {
  /** Id that is unique on the page. */
  readonly id: string;
  readonly data: ChartData;
  readonly bands: readonly ChartBand[];
  readonly limits: readonly Limit[];
  readonly unit: Unit;
  readonly axis: Axis;
  readonly isLogarithmic: boolean;
  readonly plot: Plot;
  readonly frame: TimeFrame;
  readonly syncId: string;
}

const PIXELS_PER_TIME_TICK = 72;
const OVERLOAD_HEIGHT = 5;
/** Layer above the lines and the crosshair. */
const MARKS_LAYER = 1_500;

/** Draws the values of a run over time with Recharts, including everything behind and in front of them. */
export const TimePlot = memo(function TimePlot(props: TimePlotProps) {
  const { id, data, bands, limits, unit, axis, isLogarithmic, plot, frame, syncId } = props;
  const rows = useMemo(() => plotRows(data, isLogarithmic), [data, isLogarithmic]);
  const { from, to, stages } = frame;
  const shownLimits = limits.filter(({ value }) => value >= axis.from && value <= axis.to);
  const hatched = data.series.filter(({ look }) => look.hatched);
  return (
    <ComposedChart
      width={plot.width}
      height={plot.height}
      margin={{ top: plot.top, right: plot.width - plot.right, bottom: 0, left: 0 }}
      data={rows}
      syncId={syncId}
      syncMethod={nearestTick}
      accessibilityLayer={false}
    >
      <defs>
        {hatched.map((one, place) => (
          <HatchPattern key={one.id} id={patternId(id, data.series.indexOf(one))} color={one.look.color} place={place} />
        ))}
      </defs>
      {stages.map((stage, index) => (
        <StageBackground key={stage.from} {...props} index={index} />
      ))}
      <CartesianGrid vertical={false} stroke="var(--chart-grid)" />
      <Seconds {...props} spans={frame.ranges.flatMap(({ look, spans }) => (look === 'shown' ? spans : []))} tone={toTone(frame)} />
      {limits.flatMap(({ value, breaches }) =>
        breaches === undefined || value < axis.from
          ? []
          : [<Seconds key={value} {...props} spans={breaches.spans} tone="failed" side={breaches.side} limit={value} />],
      )}
      <XAxis
        {...HORIZONTAL_AXIS}
        dataKey="second"
        domain={[from, to]}
        allowDataOverflow
        ticks={timeTicks(from, to, (plot.right - plot.left) / PIXELS_PER_TIME_TICK)}
        tickFormatter={formatElapsed}
        tickSize={4}
        stroke="var(--chart-axis)"
      />
      <YAxis
        {...VALUE_AXIS}
        scale={isLogarithmic ? 'log' : 'linear'}
        domain={[axis.from, axis.to]}
        allowDataOverflow
        ticks={axis.ticks}
        tickFormatter={(value: number) => formatTick(value, unit)}
      />
      {bands.map((band) => (
        <BandArea key={`${band.from} ${band.to}`} band={band} series={data.series} />
      ))}
      {data.series.map((one, index) => seriesShape(one, index, id))}
      {shownLimits.map(({ value, label }) => (
        <ReferenceLine
          key={label}
          y={value}
          stroke="var(--text-failed)"
          strokeDasharray="8 3 2 3"
          label={<LimitLabel text={label} plot={plot} frame={frame} />}
        />
      ))}
      <Seconds {...props} spans={frame.overloaded} tone="overloaded" height={OVERLOAD_HEIGHT} />
      <ZIndexLayer zIndex={MARKS_LAYER}>
        <RangeLabels plot={plot} frame={frame} />
        {isLogarithmic ? (
          <text x={0} y={plot.top - 14} fontSize={12} fill="var(--chart-axis)">
            {words.charts.logScale}
          </text>
        ) : null}
      </ZIndexLayer>
      <Tooltip isAnimationActive={false} cursor={CURSOR} content={<Readout {...props} />} />
    </ComposedChart>
  );
});

/** Returns the index of the tick that is nearest to the crosshair of another chart. */
function nearestTick(
  ticks: readonly { readonly value?: unknown }[],
  { activeLabel }: { readonly activeLabel?: string | number | undefined },
): number {
  const second = Number(activeLabel);
  const distances = ticks.map(({ value }) => Math.abs(Number(value) - second));
  return distances.indexOf(Math.min(...distances));
}

function toTone({ ranges }: TimeFrame): 'failed' | 'inconclusive' | 'info' {
  return ranges.find(({ look }) => look === 'shown')?.tone ?? 'info';
}

function patternId(chart: string, index: number): string {
  return `${chart}-hatch-${index}`;
}

function plotPointsOf(points: CurveProps['points']): PlotPoint[] {
  return (points ?? []).map(({ x, y }) => (typeof x === 'number' && typeof y === 'number' ? { x, y } : null));
}

/** Draws all dots as one path, because separate circles would take most of the drawing time. */
function DotsShape({ points, stroke, strokeWidth, clipPath }: CurveProps) {
  return (
    <path
      d={dotsPath(plotPointsOf(points))}
      stroke={stroke}
      strokeWidth={strokeWidth}
      strokeLinecap="round"
      fill="none"
      clipPath={clipPath}
    />
  );
}

/** Draws a line. Where so few neighbouring points have values that the line would hardly be visible, draws dots. */
function LineShape(props: CurveProps) {
  const few = shortRunDots(plotPointsOf(props.points));
  return (
    <>
      <Curve {...props} />
      {few === '' ? null : (
        <path d={few} stroke={props.stroke} strokeWidth={6} strokeLinecap="round" fill="none" clipPath={props.clipPath} />
      )}
    </>
  );
}

function seriesShape({ id, look, shape, isLarge = false }: ChartSeries, index: number, chart: string) {
  const common = {
    dataKey: lineKey(index),
    stroke: look.color,
    isAnimationActive: false,
    activeDot: { r: 3.5, fill: look.color, stroke: 'var(--surface-card)', strokeWidth: 1.5 },
  };
  switch (shape) {
    case 'stacked':
      return (
        <Area
          key={id}
          {...common}
          stackId="all"
          type="linear"
          fill={look.hatched ? `url(#${patternId(chart, index)})` : look.color}
          fillOpacity={look.hatched ? 1 : 0.75}
        />
      );
    case 'dots':
      return <Line key={id} {...common} strokeWidth={isLarge ? 6 : 3} shape={DotsShape} dot={false} />;
    case 'line':
      return <Line key={id} {...common} strokeWidth={2} strokeDasharray={look.dash} shape={LineShape} dot={false} />;
    default:
      return shape satisfies never;
  }
}

/** Fills the area between two lines. */
function BandArea({ band: { from, to, opacity }, series }: { readonly band: ChartBand; readonly series: readonly ChartSeries[] }) {
  const [low, high] = [from, to].map((id) => series.findIndex((one) => one.id === id));
  const edges = useMemo(
    () =>
      (row: PlotRow): readonly number[] | null => {
        const ends = [low, high].map((index) => getOwn(row, lineKey(index ?? -1))).filter((value) => typeof value === 'number');
        return ends.length === 2 ? ends : null;
      },
    [low, high],
  );
  if (low === -1 || high === -1) return null;
  return (
    <Area
      dataKey={edges}
      type="linear"
      stroke="none"
      fill={series[high ?? -1]?.look.color ?? 'none'}
      fillOpacity={opacity}
      isAnimationActive={false}
      activeDot={false}
      tooltipType="none"
    />
  );
}

/** Draws the name of a stage, a line at the start of the stage, and a shade if the stage is not counted. */
function StageBackground({ frame, plot, index }: TimePlotProps & { readonly index: number }) {
  const { stages } = frame;
  const stage = stages[index];
  if (stage === undefined) return null;
  return (
    <>
      {stage.counted ? null : (
        <ReferenceArea x1={stage.from} x2={stage.to} fill="var(--chart-stage-band)" fillOpacity={1} ifOverflow="hidden" zIndex={-200} />
      )}
      {stages.length > 1 ? (
        <ReferenceLine
          x={stage.from}
          stroke={index === 0 ? 'none' : 'var(--line)'}
          label={<StageName stage={stage} plot={plot} frame={frame} />}
          zIndex={-200}
        />
      ) : null}
    </>
  );
}

/** Shows the exact values at the crosshair. Recharts passes whether the crosshair is shown, and the second at which it is. */
function Readout({
  data,
  unit,
  frame,
  active = false,
  label,
}: TimePlotProps & { readonly active?: boolean; readonly label?: string | number }) {
  if (!active || label === undefined) return null;
  const second = Number(label);
  const index = indexAt(data.spans, second);
  const span = data.spans[index];
  const lines = data.series.map(({ name, look, shape, values }) => ({ name, look, shape, text: formatValue(values[index] ?? null, unit) }));
  return (
    <PointReadout
      title={momentText(span ?? { second, width: 1 }, frame.startedAt)}
      lines={span === undefined ? [] : lines.toReversed()}
      empty={words.charts.noData}
    />
  );
}
