import { memo } from 'react';
import { Area, CartesianGrid, ComposedChart, Line, XAxis, YAxis } from 'recharts';
import { ChartBackground } from './ChartBackground.tsx';
import type { TimeFrame } from './ChartView.tsx';
import type { DrawnRow } from './drawnRows.ts';
import { EndLabels } from './EndLabels.tsx';
import { AXIS_HEIGHT, hasDirectLabels, type Plot } from './geometry.ts';
import { HatchPatterns, paintOf } from './HatchPatterns.tsx';
import { LimitLines } from './LimitLines.tsx';
import { timeTicks, type Axis } from './ticks.ts';
import type { ChartBand, ChartSeries, Limit, Unit } from './types.ts';
import { formatElapsed, formatTick } from './units.ts';

export interface PlotPictureProps {
  readonly id: string;
  readonly rows: readonly DrawnRow[];
  readonly series: readonly ChartSeries[];
  readonly bands: readonly ChartBand[];
  readonly limits: readonly Limit[];
  readonly unit: Unit;
  readonly axis: Axis;
  readonly logarithmic: boolean;
  readonly plot: Plot;
  readonly frame: TimeFrame;
}

const PIXELS_PER_TIME_TICK = 72;
const tickStyle = { fill: 'var(--chart-axis)', fontSize: 12 };

/** The picture itself. Memoized: moving the crosshair must not draw it again. Never animated. */
export const PlotPicture = memo(function PlotPicture(props: PlotPictureProps) {
  const { id, rows, series, bands, limits, unit, axis, logarithmic, plot, frame } = props;
  const value = (key: string) => (row: DrawnRow) => {
    const found = row.values[key] ?? null;
    return logarithmic && found === 0 ? null : found;
  };
  const edges = (from: string, to: string) => (row: DrawnRow) => {
    const low = row.values[from];
    const high = row.values[to];
    return typeof low === 'number' && typeof high === 'number' && (!logarithmic || low > 0) ? [low, high] : null;
  };
  const lookOf = (seriesId: string) => series.find((one) => one.id === seriesId)?.look;
  return (
    <ComposedChart
      width={plot.width}
      height={plot.height}
      data={[...rows]}
      margin={{ top: plot.top, right: plot.width - plot.right, bottom: 0, left: 0 }}
      accessibilityLayer={false}
    >
      <HatchPatterns id={id} series={series} />
      <ChartBackground plot={plot} frame={frame} />
      <CartesianGrid vertical={false} stroke="var(--chart-grid)" />
      <XAxis
        dataKey="x"
        type="number"
        domain={[frame.from, frame.to]}
        ticks={timeTicks(frame.from, frame.to, (plot.right - plot.left) / PIXELS_PER_TIME_TICK)}
        tickFormatter={formatElapsed}
        height={AXIS_HEIGHT}
        interval={0}
        allowDataOverflow
        tick={tickStyle}
        tickSize={4}
        tickMargin={4}
        stroke="var(--chart-axis)"
      />
      <YAxis
        type="number"
        scale={logarithmic ? 'log' : 'linear'}
        domain={[axis.from, axis.to]}
        ticks={[...axis.ticks]}
        tickFormatter={(tick: number) => formatTick(tick, unit)}
        width={plot.left}
        interval={0}
        allowDataOverflow
        tick={tickStyle}
        tickSize={0}
        tickMargin={6}
        axisLine={false}
      />
      {bands.map(({ from, to, opacity }) => (
        <Area
          key={`${from} ${to}`}
          dataKey={edges(from, to)}
          stroke="none"
          fill={lookOf(to)?.color ?? 'none'}
          fillOpacity={opacity}
          isAnimationActive={false}
          activeDot={false}
          type="linear"
        />
      ))}
      {series
        .filter(({ shape }) => shape === 'stacked')
        .map((one) => (
          <Area
            key={one.id}
            dataKey={value(one.id)}
            // An edge would also be drawn where a layer has no height.
            stroke="none"
            fill={paintOf(id, one)}
            fillOpacity={one.look.hatched ? 1 : 0.75}
            isAnimationActive={false}
            activeDot={false}
            // Counts of whole seconds: a slope between them would hide a single bad second.
            type="step"
          />
        ))}
      {series
        .filter(({ shape }) => shape !== 'stacked')
        .map((one) => (
          <Line
            key={one.id}
            dataKey={value(one.id)}
            stroke={one.look.color}
            strokeWidth={2}
            {...(one.shape === 'dots' ? { shape: Dots } : { strokeDasharray: one.look.dash })}
            dot={false}
            activeDot={false}
            isAnimationActive={false}
            type="linear"
          />
        ))}
      <LimitLines limits={limits} axis={axis} logarithmic={logarithmic} plot={plot} />
      {hasDirectLabels(plot.width) ? (
        <EndLabels id={id} rows={rows} series={series} axis={axis} logarithmic={logarithmic} plot={plot} />
      ) : null}
    </ComposedChart>
  );
});

interface DotsProps {
  readonly points?: readonly { readonly x: number | null; readonly y: number | null }[] | undefined;
  readonly stroke?: string | undefined;
}

/** All dots of a series as one path: hundreds of circles would make every update slow. */
function Dots({ points, stroke }: DotsProps) {
  const path = points?.map(({ x, y }) => (x === null || y === null ? '' : `M${x.toFixed(1)} ${y.toFixed(1)}h0`)).join('') ?? '';
  return <path d={path} fill="none" stroke={stroke} strokeWidth={3} strokeLinecap="round" />;
}
