import { memo } from 'react';
import { CartesianGrid, ComposedChart, XAxis, YAxis } from 'recharts';
import type { DrawnRow } from '#core/presentation/charts/drawnRows.ts';
import { AXIS_HEIGHT, hasDirectLabels, type Plot, xOf, yOf } from '#core/presentation/charts/geometry.ts';
import { type Axis, timeTicks } from '#core/presentation/charts/valueAxis.ts';
import type { ChartBand, ChartSeries, Limit, Unit } from '#core/presentation/charts/types.ts';
import { formatElapsed, formatTick } from '#core/presentation/charts/units.ts';
import { words } from '../words/words.ts';
import { ChartBackground, HaloText } from './ChartBackground.tsx';
import type { TimeFrame } from './ChartView.tsx';
import { EndLabels } from './EndLabels.tsx';
import { RangeLabels } from './RangeMarks.tsx';
import { HatchPatterns, SeriesShapes } from './SeriesShapes.tsx';

interface LimitLinesProps {
  readonly limits: readonly Limit[];
  readonly axis: Axis;
  readonly logarithmic: boolean;
  readonly plot: Plot;
}

/** What was asked for, as lines across the data. */
function LimitLines({ limits, axis, logarithmic, plot }: LimitLinesProps) {
  return (
    <g>
      {limits
        .filter(({ value }) => value >= axis.from && value <= axis.to)
        .map(({ value, label }) => {
          const y = yOf(value, axis, logarithmic, plot);
          const above = y - plot.top > 18;
          return (
            <g key={label}>
              <path d={`M${plot.left} ${y}H${plot.right}`} stroke="var(--text-breaks)" strokeDasharray="8 3 2 3" fill="none" />
              <HaloText x={plot.left + 4} y={above ? y - 4 : y + 14} color="var(--text-breaks)">
                {label}
              </HaloText>
            </g>
          );
        })}
    </g>
  );
}

/** The seconds beyond what was asked for, from its line to the edge that they lie towards. */
function Breaches({ limits, axis, logarithmic, plot, frame }: LimitLinesProps & { readonly frame: TimeFrame }) {
  return (
    <g fill="var(--text-breaks)" fillOpacity={0.16}>
      {limits.flatMap(({ value, breaches }) => {
        if (breaches === undefined || value < axis.from) return [];
        const y = yOf(value, axis, logarithmic, plot);
        const [top, bottom] = breaches.side === 'above' ? [plot.top, y] : [y, plot.bottom];
        return breaches.spans.map(({ second, width }) => {
          const [left, right] = [second, second + width].map((at) => xOf(at, frame.from, frame.to, plot));
          if (left === undefined || right === undefined) return null;
          return <rect key={`${value} ${second}`} x={left} y={top} width={Math.max(2, right - left)} height={bottom - top} />;
        });
      })}
    </g>
  );
}

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
  return (
    <ComposedChart
      width={plot.width}
      height={plot.height}
      data={[{ x: frame.from }, { x: frame.to }]}
      margin={{ top: plot.top, right: plot.width - plot.right, bottom: 0, left: 0 }}
      accessibilityLayer={false}
    >
      <HatchPatterns id={id} series={series} />
      <ChartBackground plot={plot} frame={frame} />
      <Breaches limits={limits} axis={axis} logarithmic={logarithmic} plot={plot} frame={frame} />
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
      {logarithmic ? (
        <text x={0} y={plot.top - 8} fontSize={12} fill="var(--chart-axis)">
          {words.charts.logScale}
        </text>
      ) : null}
      <SeriesShapes
        id={id}
        rows={rows}
        series={series}
        bands={bands}
        axis={axis}
        logarithmic={logarithmic}
        plot={plot}
        from={frame.from}
        to={frame.to}
      />
      <LimitLines limits={limits} axis={axis} logarithmic={logarithmic} plot={plot} />
      <RangeLabels plot={plot} frame={frame} />
      {hasDirectLabels(plot.width) ? (
        <EndLabels id={id} rows={rows} series={series} axis={axis} logarithmic={logarithmic} plot={plot} />
      ) : null}
    </ComposedChart>
  );
});
