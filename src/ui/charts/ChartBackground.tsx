import { type Plot, xOf } from '#core/presentation/charts/geometry.ts';
import { labelLines } from '#core/presentation/charts/placeLabels.ts';
import { words } from '../words/words.ts';
import type { TimeFrame } from './ChartView.tsx';

interface HaloTextProps {
  readonly x: number;
  readonly y: number;
  /** A colour of the theme. */
  readonly color: string;
  readonly isStrong?: boolean;
  readonly children: string;
}

/** Words over the data of a chart, kept apart from it by a rim in the colour of the paper. */
export function HaloText({ x, y, color, isStrong = false, children }: HaloTextProps) {
  return (
    <text
      x={x}
      y={y}
      fontSize={12}
      fontWeight={isStrong ? 600 : undefined}
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
const LINE = 15;
/** Opacity of a range, and of the one that somebody asked for. */
const FAINT = 0.1;
const SHOWN = 0.28;
/** What covers more of a chart than this is shaded faintly whoever asked for it: the data lie in it. */
const MOST_STRONG = 0.6;

/** Behind the data: the stages (those that count unshaded, the others grey), the ranges of findings that are shaded, the sick seconds. */
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
      {frame.ranges.map((range) => {
        if (range.look === 'marked') return null;
        const { x, width } = place(range.from, range.to);
        const isShown = range.look === 'shown';
        const begin = `M${x} ${plot.top}V${plot.bottom}`;
        return (
          <g key={`${range.label} ${range.from}`}>
            <rect
              x={x}
              y={plot.top}
              width={Math.max(width, 2)}
              height={height}
              fill={`var(--text-${range.tone})`}
              fillOpacity={isShown && width < MOST_STRONG * (plot.right - plot.left) ? SHOWN : FAINT}
            />
            <path
              d={isShown ? `${begin}M${x + width} ${plot.top}V${plot.bottom}` : begin}
              stroke={`var(--text-${range.tone})`}
              strokeDasharray={isShown ? undefined : '2 2'}
              strokeWidth={isShown ? 2 : 1}
              fill="none"
            />
          </g>
        );
      })}
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

/** Before the data, or they would hide them: what each range is called, at its beginning. */
export function RangeLabels({ plot, frame }: { readonly plot: Plot; readonly frame: TimeFrame }) {
  const labels = frame.ranges.map((range) => {
    const { x } = placeOf(range, plot, frame);
    const width = range.label.length * CHARACTER + 10;
    // Beside its line; on the other side of it where the plot ends.
    return { x, from: x + width > plot.right && x - width > plot.left ? x - width : x, width };
  });
  const lines = labelLines(labels);
  return (
    <g>
      {frame.ranges.map(({ label, from, tone, look }, index) => {
        const y = plot.top + (lines[index] ?? 0) * LINE;
        const place = labels[index] ?? { x: plot.left, from: plot.left };
        return (
          <g key={`${label} ${from}`}>
            {/* What is only marked has a tick beside its label; a line through the whole chart would be read as an event. */}
            {look === 'marked' ? <path d={`M${place.x} ${y}v${LINE}`} stroke={`var(--text-${tone})`} fill="none" /> : null}
            <HaloText x={place.from + 4} y={y + 12} color={`var(--text-${tone})`} isStrong>
              {label}
            </HaloText>
          </g>
        );
      })}
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
