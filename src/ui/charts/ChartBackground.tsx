import { type Plot, xOf } from '#core/presentation/charts/geometry.ts';
import type { ShadedRange } from '#core/presentation/charts/types.ts';
import { words } from '../words/words.ts';
import type { TimeFrame } from './ChartView.tsx';

interface HaloTextProps {
  readonly x: number;
  readonly y: number;
  readonly color: string;
  readonly isStrong?: boolean;
  /** Which end of the text is at x. */
  readonly anchor?: 'start' | 'end';
  readonly children: string;
}

/** Text over the data of a chart, with an outline in the background colour. */
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

const CHARACTER_WIDTH = 6.4;
const OVERLOAD_HEIGHT = 5;
/** In pixels: a single second of a long run must stay visible. */
const MIN_SHADE_WIDTH = 2;
/** Opacities of the seconds of the selected finding. */
const FAINT_OPACITY = 0.1;
const STRONG_OPACITY = 0.28;
/** A range that covers a larger share of the plot is shaded faintly, so that the data stay readable. */
const MAX_STRONG_SHARE = 0.6;

/** Draws what lies behind the data: the stages (grey if not counted), the seconds of the selected finding and the overloaded seconds. */
export function ChartBackground({ plot, frame }: { readonly plot: Plot; readonly frame: TimeFrame }) {
  const place = (from: number, to: number): { x: number; width: number } => placeOf({ from, to }, plot, frame);
  const height = plot.bottom - plot.top;
  return (
    <g>
      {frame.stages.map((stage, index) => {
        const { x, width } = place(stage.from, stage.to);
        const name = fittingText(words.charts.stageTitle(stage.name, stage.counted), stage.name, width);
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
      {frame.overloaded.map((span) => {
        const { x, width } = place(span.second, span.second + span.width);
        return (
          <rect
            key={span.second}
            x={x}
            y={plot.bottom - OVERLOAD_HEIGHT}
            width={Math.max(width, 1)}
            height={OVERLOAD_HEIGHT}
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

function ShownRange({ range: { spans, tone }, plot, frame }: ShownRangeProps) {
  const places = spans.map(({ second, width }) => placeOf({ from: second, to: second + width }, plot, frame));
  const covered = places.reduce((sum, { width }) => sum + width, 0);
  const opacity = covered < MAX_STRONG_SHARE * (plot.right - plot.left) ? STRONG_OPACITY : FAINT_OPACITY;
  const color = `var(--text-${tone})`;
  return (
    <g>
      {places.map(({ x, width }) => (
        <rect
          key={x}
          x={x}
          y={plot.top}
          width={Math.max(width, MIN_SHADE_WIDTH)}
          height={plot.bottom - plot.top}
          fill={color}
          fillOpacity={opacity}
        />
      ))}
    </g>
  );
}

/** Returns the position of a time span in the plot, in pixels. */
function placeOf(span: { readonly from: number; readonly to: number }, plot: Plot, { from, to }: TimeFrame): { x: number; width: number } {
  const x = xOf(Math.max(span.from, from), from, to, plot);
  return { x, width: Math.max(0, xOf(Math.min(span.to, to), from, to, plot) - x) };
}

/** Returns the longer of the two texts that fits into the width (estimated pixels), or an empty string. */
function fittingText(long: string, short: string, width: number): string {
  const fits = (text: string): boolean => text.length * CHARACTER_WIDTH + 20 <= width;
  return [long, short].find(fits) ?? '';
}
