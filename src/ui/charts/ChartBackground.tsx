import { type Plot, xOf } from '#core/presentation/charts/geometry.ts';
import type { ShadedRange } from '#core/presentation/charts/types.ts';
import { words } from '../words/words.ts';
import type { TimeFrame } from './ChartView.tsx';

interface HaloTextProps {
  readonly x: number;
  readonly y: number;
  /** A colour of the theme. */
  readonly color: string;
  readonly isStrong?: boolean;
  /** Which end of the words stands at x. */
  readonly anchor?: 'start' | 'end';
  readonly children: string;
}

/** Words over the data of a chart, kept apart from it by a rim in the colour of the paper. */
export function HaloText({ x, y, color, isStrong = false, anchor = 'start', children }: HaloTextProps) {
  return (
    <text
      x={x}
      y={y}
      fontSize={12}
      fontWeight={isStrong ? 600 : undefined}
      textAnchor={anchor}
      fill={color}
      stroke="var(--surface-card)"
      strokeWidth={3}
      paintOrder="stroke"
    >
      {children}
    </text>
  );
}

const CHARACTER = 6.4;
const SICK_HEIGHT = 5;
/** A single second of a long run has to be seen. */
const LEAST_SHADE = 2;
/** Opacity of seconds that somebody asked for. */
const FAINT = 0.1;
const SHOWN = 0.28;
/** What covers more of a chart than this is shaded faintly: the data lie in it. */
const MOST_STRONG = 0.6;

/** Behind the data: the stages (those that count unshaded, the others grey), the seconds of the finding that is looked at, the sick seconds. */
export function ChartBackground({ plot, frame }: { readonly plot: Plot; readonly frame: TimeFrame }) {
  const place = (from: number, to: number): { x: number; width: number } => placeOf({ from, to }, plot, frame);
  const height = plot.bottom - plot.top;
  return (
    <g>
      {frame.stages.map((stage, index) => {
        const { x, width } = place(stage.from, stage.to);
        const name = fitting(words.charts.stageTitle(stage.name, stage.counted), stage.name, width);
        return (
          <g key={stage.from}>
            <rect x={x} y={plot.top} width={width} height={height} fill={stage.counted ? 'none' : 'var(--chart-stage-band)'} />
            {index > 0 ? <path d={`M${x} ${plot.top - 12}V${plot.bottom}`} stroke="var(--line)" fill="none" /> : null}
            {frame.stages.length > 1 && name ? (
              <text x={x + 4} y={plot.top - 8} fontSize={12} fill="var(--chart-axis)">
                {name}
              </text>
            ) : null}
          </g>
        );
      })}
      {frame.ranges
        .filter(({ look }) => look === 'shown')
        .map((range) => (
          <ShownRange key={range.label} range={range} plot={plot} frame={frame} />
        ))}
      {frame.sick.map((span) => {
        const { x, width } = place(span.second, span.second + span.width);
        return (
          <rect
            key={span.second}
            x={x}
            y={plot.bottom - SICK_HEIGHT}
            width={Math.max(width, 1)}
            height={SICK_HEIGHT}
            fill="var(--series-status-4xx)"
          />
        );
      })}
    </g>
  );
}

interface ShownRangeProps {
  readonly range: ShadedRange;
  readonly plot: Plot;
  readonly frame: TimeFrame;
}

/** The seconds that a finding is about and no others. */
function ShownRange({ range: { spans, tone }, plot, frame }: ShownRangeProps) {
  const places = spans.map(({ second, width }) => placeOf({ from: second, to: second + width }, plot, frame));
  const covered = places.reduce((sum, { width }) => sum + width, 0);
  const opacity = covered < MOST_STRONG * (plot.right - plot.left) ? SHOWN : FAINT;
  const color = `var(--text-${tone})`;
  return (
    <g>
      {places.map(({ x, width }) => (
        <rect
          key={x}
          x={x}
          y={plot.top}
          width={Math.max(width, LEAST_SHADE)}
          height={plot.bottom - plot.top}
          fill={color}
          fillOpacity={opacity}
        />
      ))}
    </g>
  );
}

/** Where a stretch of time lies in the plot. */
function placeOf(span: { readonly from: number; readonly to: number }, plot: Plot, { from, to }: TimeFrame): { x: number; width: number } {
  const x = xOf(Math.max(span.from, from), from, to, plot);
  return { x, width: Math.max(0, xOf(Math.min(span.to, to), from, to, plot) - x) };
}

/** The longest of the two texts that fits into the width, in estimated pixels; empty when neither does. */
function fitting(long: string, short: string, width: number): string {
  const fits = (text: string): boolean => text.length * CHARACTER + 20 <= width;
  return [long, short].find(fits) ?? '';
}
