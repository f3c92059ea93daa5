import { memo } from 'react';
import type { DrawnRow } from '#core/presentation/charts/drawnRows.ts';
import { freeEnd } from '#core/presentation/charts/layOutLabels.ts';
import { hasDirectLabels, type Plot, xOf, yOf } from '#core/presentation/charts/geometry.ts';
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

/** Approximate width of a label such as “limit 500 ms”, in pixels. */
const LABEL_WIDTH = 80;

/** Draws the pass criteria as lines across the data. */
function LimitLines({ limits, axis, logarithmic, plot, frame }: LimitLinesProps & { readonly frame: TimeFrame }) {
  const marks = frame.ranges.map(({ from }) => xOf(from, frame.from, frame.to, plot));
  const anchor = freeEnd(marks, LABEL_WIDTH, [plot.left, plot.right]);
  const x = anchor === 'end' ? plot.right - 4 : plot.left + 4;
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
              <HaloText x={x} y={above ? y - 4 : y + 14} anchor={anchor} color="var(--text-breaks)">
                {label}
              </HaloText>
            </g>
          );
        })}
    </g>
  );
}

/** Shades the seconds that miss a criterion, from its line to the edge of the plot on that side. */
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
const TICK = 4;
const FONT = 12;

function TimeAxis({ plot, frame: { from, to } }: Pick<PlotPictureProps, 'plot' | 'frame'>) {
  const ticks = timeTicks(from, to, (plot.right - plot.left) / PIXELS_PER_TIME_TICK);
  const places = ticks.map((second) => xOf(second, from, to, plot));
  return (
    <g fontSize={FONT} textAnchor="middle" fill="var(--chart-axis)">
      <path
        d={`M${plot.left} ${plot.bottom}H${plot.right}${places.map((x) => `M${x} ${plot.bottom}v${TICK}`).join('')}`}
        stroke="var(--chart-axis)"
        fill="none"
      />
      {ticks.map((second, index) => (
        <text key={second} x={places[index]} y={plot.bottom + 2 * TICK + FONT * 0.71}>
          {formatElapsed(second)}
        </text>
      ))}
    </g>
  );
}

/** Value axis with a grid line behind the data for each tick. */
function ValueAxis({ axis, logarithmic, plot, unit }: Pick<PlotPictureProps, 'axis' | 'logarithmic' | 'plot' | 'unit'>) {
  const heights = axis.ticks.map((tick) => yOf(tick, axis, logarithmic, plot));
  return (
    <g fontSize={FONT} textAnchor="end" fill="var(--chart-axis)">
      <path d={heights.map((y) => `M${plot.left} ${y}H${plot.right}`).join('')} stroke="var(--chart-grid)" fill="none" />
      {axis.ticks.map((tick, index) => (
        <text key={tick} x={plot.left - 6} y={(heights[index] ?? 0) + FONT * 0.355}>
          {formatTick(tick, unit)}
        </text>
      ))}
      {logarithmic ? (
        <text x={0} y={plot.top - 14} textAnchor="start">
          {words.charts.logScale}
        </text>
      ) : null}
    </g>
  );
}

/** The drawing of a chart. Memoized, so that moving the crosshair does not redraw it. */
export const PlotPicture = memo(function PlotPicture(props: PlotPictureProps) {
  const { id, rows, series, bands, limits, unit, axis, logarithmic, plot, frame } = props;
  return (
    <svg width={plot.width} height={plot.height} viewBox={`0 0 ${plot.width} ${plot.height}`}>
      <HatchPatterns id={id} series={series} />
      <ChartBackground plot={plot} frame={frame} />
      <Breaches limits={limits} axis={axis} logarithmic={logarithmic} plot={plot} frame={frame} />
      <ValueAxis axis={axis} logarithmic={logarithmic} plot={plot} unit={unit} />
      <TimeAxis plot={plot} frame={frame} />
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
      <LimitLines limits={limits} axis={axis} logarithmic={logarithmic} plot={plot} frame={frame} />
      <RangeLabels plot={plot} frame={frame} />
      {hasDirectLabels(plot.width, series) ? (
        <EndLabels id={id} rows={rows} series={series} axis={axis} logarithmic={logarithmic} plot={plot} />
      ) : null}
    </svg>
  );
});
